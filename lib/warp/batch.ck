// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// warp/batch.ck - several reductions at once, one for each item of the lanes.
//
// warp.reduce_batched(items, f), warp.reduce_batched<to>(items, f); warp.tile<G>.reduce_batched.
//
//   shape         a warp or G lanes of one, in any block; N items of any type a lane, N at most G without
//                 `to`
//   arrangement   item k of all lanes belongs to reduction k, in the order of the lanes
//   f             associative; need not be commutative: the left argument is that of the lower lanes
//   called by     all lanes of the group
//   result        in lane k, for k below N: f of item k of all lanes; in other lanes unspecified
//   to            striped, blocked: for any N, M = ceil(N / G) results per lane, T[M]: those of
//                 items l, l + G, ... in lane l; or those of items l * M to l * M + M - 1. Elements
//                 after the last result are unspecified
//   shared bytes  none
//   steps         N - 1 + log2(G / N) shuffles of each 32 bits, where N is a power of two, and at most
//                 log2(N) more otherwise; N reductions in a group with lanes missing. With `to` M times
//   target        any
//   how           two lanes that differ in one bit of their ranks exchange every other item, so
//                 that each continues with half of the items (CUB's WarpReduceBatched)
//   CUB           WarpReduceBatched::ReduceToStriped(items, f)   warp.reduce_batched(items, f)
//                 ::SumToStriped(items)                          warp.reduce_batched(items, +)
//                     of up to G items; more: <striped>
//                 ::ReduceToBlocked(items, f), SumToBlocked(items)   warp.reduce_batched<blocked>(items, f)
//
//   kernel columns(x: in u32[8, 4], sums: out u32[4]) launch(block = 8, grid = 1)
//   {
//       let t = warp.tile<8>;
//       let sum = t.reduce_batched([x[t.rank, 0], x[t.rank, 1], x[t.rank, 2], x[t.rank, 3]], +);
//       if (t.rank < 4) sums[t.rank] = sum;
//   }
//   CALL: columns(x=iota:8x4)
//   EXPECT: sums = 112 + 8 * arange(4)
//   COST: 0 bytes, 0 barriers

// Invariant: lanes whose ranks differ only in bits below D hold different items, each reduced over
// these lanes.
fn __batch<const G: u32, const D: u32, T: type, const N: u32, F: fn>(v: T[N], f: F) -> T {
    comptime if (D == G) {
        return v[0];
    } else {
        const HALF = (N + 1) / 2;
        var r: T[HALF];
        let is_high = (__rank_in<G>() & D) != 0;
        unroll for (k in 0..HALF) {
            let (a, b) = (v[2 * k], v[2 * k + 1 < N ? 2 * k + 1 : 2 * k]);
            let mine = is_high ? b : a;
            let other = __shuffle<3>(__lanes<G>(), is_high ? a : b, D, __clamp<G>());
            r[k] = f(is_high ? other : mine, is_high ? mine : other);
        }
        return __batch<G, 2 * D>(r, f);
    }
}
fn __reduce_batched<const G: u32, T: type, const N: u32, F: fn>(v: T[N], f: F) -> T {
    static_assert(N <= G, "reduce_batched takes at most as many items as there are lanes");
    if (__count<G>() == G) return __batch<G, 1>(v, f);
    var r = v[0];
    unroll for (k in 0..N) {
        let all = __ordered<G>(v[k], f, __count<G>());
        if (__rank_in<G>() == k) r = all;
    }
    return r;
}
// The last batch may have fewer items: it repeats one.
fn __reduce_batches<const TO: u32, const G: u32, T: type, const N: u32, F: fn>(v: T[N], f: F) -> T[(N + G - 1) / G] {
    static_assert(TO <= striped, "reduce_batched leaves its results blocked or striped");
    const M = (N + G - 1) / G;
    const EACH = TO == striped ? min(N, G) : (N + M - 1) / M;
    var r: T[M];
    unroll for (j in 0..M) {
        var some: T[EACH];
        unroll for (k in 0..EACH) some[k] = v[min(N - 1, TO == striped ? j * G + k : k * M + j)];
        r[j] = __reduce_batched<G>(some, f);
    }
    return r;
}

fn warp.reduce_batched<T: type, const N: u32, F: fn>(items: T[N], f: F) -> T = __reduce_batched<32>(items, f);
fn warp.tile.reduce_batched<const G: u32, T: type, const N: u32, F: fn>(items: T[N], f: F) -> T = __reduce_batched<G>(items, f);
fn warp.reduce_batched<const to: u32, T: type, const N: u32, F: fn>(items: T[N], f: F) -> T[(N + 31) / 32] = __reduce_batches<to, 32>(items, f);
fn warp.tile.reduce_batched<const G: u32, const to: u32, T: type, const N: u32, F: fn>(items: T[N], f: F) -> T[(N + G - 1) / G] = __reduce_batches<to, G>(items, f);
