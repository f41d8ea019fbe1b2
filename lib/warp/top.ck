// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// warp/top.ck - top-k selection in a warp or tile: the K greatest keys, or the K least.
//
// warp.top_k(keys, K), warp.top_k(keys, values, K), with descending = true, valid = n;
// warp.tile<G>.top_k.
//
//   shape         a warp or G lanes of one, in any block of constant size; N keys a lane of any integer or
//                 float type; K, a constant, is at most G * N
//   arrangement   blocked, in and out
//   called by     all lanes of the group; n and descending are the same in all of them
//   result        as block.top_k: the first K keys in the sorted order, sorted, stable; with
//                 descending = false the K least, in ascending order. M = ceil(K / G) per lane, so
//                 for K up to G lane l has the l-th. (keys, values) if there are values. Places
//                 from K on, or from n on, are unspecified. In a group with missing lanes, M for
//                 each existing lane
//   valid         only the first n keys of the group count
//   shared bytes  none for K up to 8, 12 for one key per lane; else that of merge.ck, or N keys or
//                 values a thread and 1/32 more
//   steps         for such a K: for each of the K results a comparison a key, a reduction and a
//                 shuffle of each 32 bits; for larger K merge.ck's
//   target        any
//   CUB           beyond CUB   warp.top_k(keys, K)
//                 beyond CUB   warp.top_k(keys, values, K, descending = false, valid = n)
//
//   kernel nearest(distances: in f32[512], at: out u32[128]) launch(block = 256, grid = 2)
//   {
//       let t = warp.tile<8>;
//       let (d, lane) = t.top_k([distances[grid.thread_rank]], [t.rank], 2, descending = false);
//       if (t.rank < 2) at[grid.thread_rank / 8 * 2 + t.rank] = lane[0];
//   }
//   CALL: nearest(distances=arange(512) * 5 % 8)
//   EXPECT: at = 5 * (arange(128) % 2)
//   COST: 0 bytes, 0 barriers

fn __one_of(values: __None, at: u32) -> __None = values;
fn __one_of<V: type, const N: u32>(values: V[N], at: u32) -> V {
    var r = values[0];
    unroll for (k in 1..N) {
        if (k == at) r = values[k];
    }
    return r;
}
fn __with_one(values: __None, at: u32, one: __None) -> __None = values;
fn __with_one<V: type, const M: u32>(values: V[M], at: u32, one: V) -> V[M] {
    var r = values;
    unroll for (k in 0..M) {
        if (k == at) r[k] = one;
    }
    return r;
}
fn __of_lane<const G: u32>(value: __None, lane: u32) -> __None = value;
fn __of_lane<const G: u32, V: type>(value: V, lane: u32) -> V = __shuffle<0>(__lanes<G>(), value, lane, __clamp<G>());

// Selects one result after the other: each lane's best remaining key, then the best of all lanes.
// Among equal keys the lowest lane wins, which makes it stable.
fn __group_select<const COUNT: u32, const M: u32, const G: u32, VALUES: type, K: type, B: int, const N: u32, V: type>(keys: K[N], values: V, bits: B[N], valid: u32) -> (K[M], VALUES) {
    let rank = __rank_in<G>();
    let here = __within(valid, rank * N, N);
    var left = here < 64 ? (1u64 << here) - 1 : ~0u64;
    var r: K[M];
    var s: VALUES;
    for (i in 0u32..COUNT) {
        var best = ~B(0);
        var at = N;
        unroll for (k in 0..N) {
            if ((left >> k & 1) != 0 && (at == N || bits[k] < best)) (best, at) = (bits[k], k);
        }
        let first = __reduce_by<G>(best, min);
        let lane = ctz(__voted<G>(at < N && best == first));
        let key = __of_lane<G>(__one_of(keys, at), lane);
        let value = __of_lane<G>(__one_of(values, at), lane);
        if (lane == __lane()) left &= ~(1u64 << at);
        if (i / M == rank) {
            r = __with_one(r, i % M, key);
            s = __with_one(s, i % M, value);
        }
    }
    return (r, s);
}

// Redistributes items from N per lane to M per lane: lane `rank` gets those from rank * M on.
fn __regroup<const M: u32, const G: u32>(items: __None) -> __None = items;
fn __regroup<const M: u32, const G: u32, T: type, const N: u32>(items: T[N]) -> T[M] {
    comptime if (M == N) {
        return items;
    } else {
        shared all: T[block.size * N + block.size * N / 32 + 1];
        __warp_sync(__lanes<G>()); // as in warp/exchange.ck
        __write_own<0>(ptr<T, shared>(address(all[0])), items);
        __warp_sync(__lanes<G>());
        var r: T[M];
        unroll for (k in 0..M) {
            let place = __rank_in<G>() * M + k;
            if (place < __count<G>() * N) r[k] = all[__padded<N>(__first_rank<G>() * N + place)];
        }
        return r;
    }
}
fn __group_order<const SOME: bool, const G: u32, K: type, const N: u32, F: fn>(keys: K[N], values: __None, less: F, valid: u32) -> (K[N], __None) {
    comptime if (SOME) return (__group_sort<G>(keys, less, valid), values);
    else return (__merge_sort<G>(keys, less), values);
}
fn __group_order<const SOME: bool, const G: u32, K: type, V: type, const N: u32, F: fn>(keys: K[N], values: V[N], less: F, valid: u32) -> (K[N], V[N]) {
    comptime if (SOME) return __group_sort<G>(keys, values, less, valid);
    else return __group_sort<G>(keys, values, less);
}

fn __group_top<const COUNT: u32, const M: u32, const G: u32, const SOME: bool, VALUES: type, K: type, B: int, const N: u32, V: type>(keys: K[N], values: V, flip: B, valid: u32) -> (K[M], VALUES) {
    static_assert(COUNT >= 1 && COUNT <= G * N, "top_k takes K from 1 to the number of keys, N a lane");
    comptime if (COUNT <= (N == 1 ? 12 : 8)) { // up to here selection is faster than a sort (H200)
        return __group_select<COUNT, M, G, VALUES>(keys, values, __top_bits(keys, flip), valid);
    } else {
        let less = |a, b| (__digits(a, __key(a)) ^ flip) < (__digits(b, __key(b)) ^ flip);
        let (k, v) = __group_order<SOME, G>(keys, values, less, valid);
        return (__regroup<M, G>(k), __regroup<M, G>(v));
    }
}

fn warp.top_k<K: number, const N: u32>(keys: K[N], const count: u32, descending: bool = true) -> K[(count + 31) / 32] =
    __group_top<count, (count + 31) / 32, 32, false, __None>(keys, __None(0), __top_flip(__key(keys[0]), descending), ~0u32)[0];
fn warp.top_k<K: number, const N: u32>(keys: K[N], const count: u32, valid: u32, descending: bool = true) -> K[(count + 31) / 32] =
    __group_top<count, (count + 31) / 32, 32, true, __None>(keys, __None(0), __top_flip(__key(keys[0]), descending), valid)[0];
fn warp.top_k<K: number, V: type, const N: u32>(keys: K[N], values: V[N], const count: u32, descending: bool = true) -> (K[(count + 31) / 32], V[(count + 31) / 32]) =
    __group_top<count, (count + 31) / 32, 32, false, V[(count + 31) / 32]>(keys, values, __top_flip(__key(keys[0]), descending), ~0u32);
fn warp.top_k<K: number, V: type, const N: u32>(keys: K[N], values: V[N], const count: u32, valid: u32, descending: bool = true) -> (K[(count + 31) / 32], V[(count + 31) / 32]) =
    __group_top<count, (count + 31) / 32, 32, true, V[(count + 31) / 32]>(keys, values, __top_flip(__key(keys[0]), descending), valid);
fn warp.top_k<K: type, const N: u32>(keys: K[N], const count: u32, descending: bool = true) -> K[1] {
    static_assert(false, "top_k goes by integers and floats: take those of the items as keys, and the items as values");
    return [keys[0]];
}

fn warp.tile.top_k<const G: u32, K: number, const N: u32>(keys: K[N], const count: u32, descending: bool = true) -> K[(count + G - 1) / G] =
    __group_top<count, (count + G - 1) / G, G, false, __None>(keys, __None(0), __top_flip(__key(keys[0]), descending), ~0u32)[0];
fn warp.tile.top_k<const G: u32, K: number, const N: u32>(keys: K[N], const count: u32, valid: u32, descending: bool = true) -> K[(count + G - 1) / G] =
    __group_top<count, (count + G - 1) / G, G, true, __None>(keys, __None(0), __top_flip(__key(keys[0]), descending), valid)[0];
fn warp.tile.top_k<const G: u32, K: number, V: type, const N: u32>(keys: K[N], values: V[N], const count: u32, descending: bool = true) -> (K[(count + G - 1) / G], V[(count + G - 1) / G]) =
    __group_top<count, (count + G - 1) / G, G, false, V[(count + G - 1) / G]>(keys, values, __top_flip(__key(keys[0]), descending), ~0u32);
fn warp.tile.top_k<const G: u32, K: number, V: type, const N: u32>(keys: K[N], values: V[N], const count: u32, valid: u32, descending: bool = true) -> (K[(count + G - 1) / G], V[(count + G - 1) / G]) =
    __group_top<count, (count + G - 1) / G, G, true, V[(count + G - 1) / G]>(keys, values, __top_flip(__key(keys[0]), descending), valid);
