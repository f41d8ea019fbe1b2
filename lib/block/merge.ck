// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block/merge.ck - merge sort of a block.
//
// block.merge_sort(keys, less), block.merge_sort(keys, values, less), with `valid = n`.
//
//   shape         any block of constant size; N keys of any type a thread
//   arrangement   blocked, in and out
//   less          less(a, b): a comes before b; a strict weak order. Operator: <
//   called by     all threads of the block; n is the same in all of them
//   result        sorted, stable; (keys, values) if there are values. With valid the first n keys
//                 of the block are sorted, and the others follow them in any order
//   shared bytes  the keys and, with values or valid, 4 bytes a key; 1/32 more if a thread's keys
//                 don't fill rows of 16 bytes; or the values and 1/32 more, if they are larger
//   steps         sorts N keys in each thread, then merges log2(block.size) times: a binary search
//                 (merge path), then N steps; the first 5 merges need barriers of the warp only
//   target        any
//   CUB           BlockMergeSort::Sort(keys, less)             block.merge_sort(keys, less)
//                     StableSort: it is stable
//                 ::Sort(keys, values, less)                   block.merge_sort(keys, values, less)
//                 ::Sort(keys, less, valid, default)           block.merge_sort(keys, less, valid = n)
//                     needs no default
//                 ::Sort(keys, values, less, valid, default)   block.merge_sort(keys, values, less, valid = n)
//
//   kernel sort(keys: inout u32[128], at: out u32[128]) launch(block = 64, grid = 1)
//   {
//       let k = block.load(keys, 0, 2);
//       let (sorted, from) = block.merge_sort(k, k, |a, b| a % 8 < b % 8);
//       block.store(keys, 0, sorted);
//       block.store(at, 0, from);
//   }
//   CALL: sort(keys=iota:128)
//   EXPECT: keys = arange(128) // 16 + arange(128) % 16 * 8
//   EXPECT: at = arange(128) // 16 + arange(128) % 16 * 8
//   COST: 1024 bytes, 4 barriers

struct __Item<T: type> { key: T; at: u32; }

// The result of `less`.
fn __is_less(v: bool) -> bool = v;
fn __is_less<T: type>(v: T) -> bool {
    static_assert(false, "less(a, b) gives a bool, whether a stands before b: as < does");
    return false;
}

// Odd-even transposition sort: stable, and a network of fixed comparisons.
fn __sort_thread<T: type, const N: u32, F: fn>(items: T[N], less: F) -> T[N] {
    var r = items;
    unroll for (round in 0..N) {
        unroll for (pair in 0..N / 2) {
            let i = 2 * pair + round % 2;
            if (i + 1 < N && __is_less(less(r[min(i + 1, N - 1)], r[i]))) {
                let low = r[min(i + 1, N - 1)];
                r[min(i + 1, N - 1)] = r[i];
                r[i] = low;
            }
        }
    }
    return r;
}

// Items that fill whole rows of 16 bytes a thread are written as rows, others with one element of
// padding after 32.
fn __merge_slot<const PAD: bool, const N: u32>(i: u32) -> u32 = PAD ? __padded<N>(i) : i;

// Merge path: of the first `diagonal` elements of the merge of two adjacent sorted runs, the number
// that come from the first run.
fn __merge_path<const PAD: bool, const N: u32, T: type, F: fn>(all: ptr<T, shared>, a: u32, a_len: u32, b: u32, b_len: u32, diagonal: u32, less: F) -> u32 {
    var lo = diagonal > b_len ? diagonal - b_len : 0;
    var hi = min(diagonal, a_len);
    while (lo < hi) {
        let middle = (lo + hi) / 2;
        if (less(all[__merge_slot<PAD, N>(b + diagonal - 1 - middle)], all[__merge_slot<PAD, N>(a + middle)])) hi = middle;
        else lo = middle + 1;
    }
    return lo;
}

// G: the sorting group: that many lanes, or __of_block.
fn __wait_merge<const G: u32>(is_in_warp: bool) {
    comptime if (G <= 32) __warp_sync(__lanes<G>());
    else if (is_in_warp) __warp_sync(__lanes<32>());
    else block.sync();
}
// Merges pairs of runs of width / 2 threads into runs of `width`.
fn __merge_step<const G: u32, const PAD: bool, T: type, const N: u32, F: fn>(width: u32, items: T[N], all: ptr<T, shared>, less: F) -> T[N] {
    const TOTAL = block.size * N;
    let rank = thread.rank;
    comptime if (PAD) {
        __write_own<0>(all, items);
    } else {
        const M = N * (sizeof<T>) / 16;
        let (rows, mine) = (ptr<u32x4, shared>(all), bit_cast<u32x4[M]>(items));
        unroll for (j in 0..M) rows[rank * M + j] = mine[j];
    }
    __wait_merge<G>(width <= 32);
    let first = (rank & ~(width - 1)) * N;
    let a_end = min(first + width / 2 * N, TOTAL);
    let b_end = min(first + width * N, TOTAL);
    let diagonal = rank * N - first;
    let from = __merge_path<PAD, N>(all, first, a_end - first, a_end, b_end - a_end, diagonal, less);
    var (a, b) = (first + from, a_end + diagonal - from);
    var r = items;
    // the memory after it may belong to another warp, which may be in another step
    let last = b_end - 1;
    var left = all[__merge_slot<PAD, N>(min(a, last))];
    var right = all[__merge_slot<PAD, N>(min(b, last))];
    unroll for (k in 0..N) {
        let is_right = b < b_end && (a >= a_end || less(right, left));
        r[k] = is_right ? right : left;
        if (is_right) b += 1;
        else a += 1;
        if (k + 1 < N) {
            let next = all[__merge_slot<PAD, N>(min(is_right ? b : a, last))];
            if (is_right) right = next;
            else left = next;
        }
    }
    __wait_merge<G>(width < 32);
    return r;
}
fn __merge_sort<const G: u32, T: type, const N: u32, F: fn>(items: T[N], less: F) -> T[N] {
    const BYTES: u32 = sizeof<T>;
    const PAD = !((BYTES == 4 || BYTES == 8 || BYTES == 16) && N * BYTES % 16 == 0);
    const COUNT = block.size * N;
    shared rows: u32x4[((COUNT + (PAD ? COUNT / 32 + 1 : 0)) * BYTES + 15) / 16];
    let all = ptr<T, shared>(address(rows[0]));
    var r = __sort_thread(items, less);
    // a loop, not unrolled: unrolled it takes 3 times the registers
    let steps = 32 - clz((G < block.size ? G : block.size) - 1);
    unroll(1) for (step in 0..steps) r = __merge_step<G, PAD>(2u32 << step, r, all, less);
    return r;
}

// Keys with their original positions in the sorting group.
fn __tagged<const G: u32, K: type, const N: u32>(keys: K[N]) -> __Item<K>[N] {
    var items: __Item<K>[N];
    unroll for (k in 0..N) items[k] = __Item(keys[k], __rank_in<G>() * N + k);
    return items;
}
fn __untagged<K: type, const N: u32>(items: __Item<K>[N]) -> (K[N], u32[N]) {
    var keys: K[N];
    var at: u32[N];
    unroll for (k in 0..N) (keys[k], at[k]) = (items[k].key, items[k].at);
    return (keys, at);
}
fn __merge_tagged<const G: u32, K: type, const N: u32, F: fn>(keys: K[N], less: F) -> __Item<K>[N] =
    __merge_sort<G>(__tagged<G>(keys), |a, b| less(a.key, b.key));
fn __merge_tagged<const G: u32, K: type, const N: u32, F: fn>(keys: K[N], less: F, valid: u32) -> __Item<K>[N] =
    __merge_sort<G>(__tagged<G>(keys), |a, b| a.at < valid && (b.at >= valid || less(a.key, b.key)));

// Permutes the values as the keys were permuted.
fn __fetch<V: type, const N: u32>(values: V[N], from: u32[N]) -> V[N] {
    shared all: V[block.size * N + block.size * N / 32 + 1];
    __write_own<0>(ptr<V, shared>(address(all[0])), values);
    block.sync();
    var r: V[N];
    unroll for (k in 0..N) r[k] = all[__padded<N>(from[k])];
    return r;
}

fn block.merge_sort<K: type, const N: u32, F: fn>(keys: K[N], less: F) -> K[N] = __merge_sort<__of_block>(keys, less);
fn block.merge_sort<K: type, V: type, const N: u32, F: fn>(keys: K[N], values: V[N], less: F) -> (K[N], V[N]) {
    let (sorted, from) = __untagged(__merge_tagged<__of_block>(keys, less));
    return (sorted, __fetch(values, from));
}
fn block.merge_sort<K: type, const N: u32, F: fn>(keys: K[N], less: F, valid: u32) -> K[N] =
    __untagged(__merge_tagged<__of_block>(keys, less, valid))[0];
fn block.merge_sort<K: type, V: type, const N: u32, F: fn>(keys: K[N], values: V[N], less: F, valid: u32) -> (K[N], V[N]) {
    let (sorted, from) = __untagged(__merge_tagged<__of_block>(keys, less, valid));
    return (sorted, __fetch(values, from));
}
