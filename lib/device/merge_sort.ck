// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/merge_sort.ck - sorts a sequence by any order, by launches of kernels.
//
// merge_sort(it, less), in an algorithm
//
//   it            a readable and writable iterator of any type; the greatest length that it can have
//                 is known to the host
//   overlap       it: each of its elements is reached in one way alone; less reads none of them
//   less          less(a, b): a comes before b; a strict weak order. Operator: <
//   result        sorted in place, stable
//   launches      1, and 2 for every factor of 4 by which the length exceeds 2048
//   scratch       a copy of the elements
//   steps         blocks sort tiles of 2048 elements. Each further launch merges pairs of runs: a
//                 thread finds the place of its 8 elements in both runs by a binary search (merge
//                 path). The runs move to scratch memory and back, so the last ones are in place
//   target        any
//   CUB           DeviceMergeSort::SortKeys(x, n, less), StableSortKeys   merge_sort(x, less)
//                 DeviceMergeSort::SortPairs(k, v, n, less)               merge_sort(zip(k, v), |a, b| less(a[0], b[0]))
//   Thrust        sort, stable_sort, sort_by_key                          merge_sort(x, less)
//   cuda.compute  merge_sort                                              merge_sort(x, less)
//
//   algorithm falling(n: u64, x: inout i32[n]) { merge_sort(x, |a, b| a > b); }
//   CALL: falling(x=[3, 1, 2])
//   EXPECT: x = [3, 2, 1]

const __MERGE_ITEMS: u32 = 8;
const __MERGE_TILE: u64 = 2048;

fn __merge_sort_tiles<I: type, F: fn, T: type>(it: I, less: F, like: T) {
    let n = it.len;
    let lo = block.rank * __MERGE_TILE;
    let count = __assume_block(n > lo ? u32(min(n - lo, __MERGE_TILE)) : 0);
    var keys: T[__MERGE_ITEMS];
    unroll for (k in 0..__MERGE_ITEMS) {
        let i = thread.rank * __MERGE_ITEMS + k;
        if (i < count) keys[k] = it[lo + u64(i)];
    }
    keys = block.merge_sort(keys, less, valid = count);
    unroll for (k in 0..__MERGE_ITEMS) {
        let i = thread.rank * __MERGE_ITEMS + k;
        if (i < count) it[lo + u64(i)] = keys[k];
    }
}

// Elements `lo` to `hi` - 1 of the merges of runs of `run` elements. They lie in one pair of runs.
fn __merge_range<A: type, B: type, F: fn>(from: A, to: B, n: u64, run: u64, lo: u64, hi: u64, less: F) {
    let first = lo / (2 * run) * (2 * run);
    let middle = min(first + run, n);
    let end = min(first + 2 * run, n);
    let diagonal = lo - first;
    var low = diagonal > end - middle ? diagonal - (end - middle) : 0;
    var high = min(diagonal, middle - first);
    while (low < high) {
        let m = (low + high) / 2;
        if (less(from[middle + diagonal - 1 - m], from[first + m])) high = m;
        else low = m + 1;
    }
    var (a, b) = (first + low, middle + diagonal - low);
    for (i in lo..hi) {
        var is_right = a >= middle;
        if (a < middle && b < end) is_right = less(from[b], from[a]);
        if (is_right) {
            to[i] = from[b];
            b += 1;
        } else {
            to[i] = from[a];
            a += 1;
        }
    }
}
fn __merge_runs<A: type, B: type, F: fn>(from: A, to: B, n: u64, run: u64, less: F) {
    let lo = grid.thread_rank * u64(__MERGE_ITEMS);
    if (lo < n) __merge_range(from, to, n, run, lo, min(lo + u64(__MERGE_ITEMS), n), less);
}
fn __merge_away<I: type, F: fn, T: type>(it: I, other: inout T[], less: F, round: u32) {
    __merge_runs(it, other, it.len, __MERGE_TILE << u64(2 * round), less);
}
fn __merge_back<I: type, F: fn, T: type>(it: I, other: in T[], less: F, round: u32) {
    __merge_runs(other, it, it.len, 2 * __MERGE_TILE << u64(2 * round), less);
}

algorithm device.merge_sort<I: type, F: fn>(it: I, less: F) {
    let n = __most(it);
    scratch other: element_of<I>[n];
    launch __merge_sort_tiles(block = 256, grid = ceil_div(n, __MERGE_TILE), it, less, __zero(it[0u64]));
    let rounds = u32(n > 2048) + u32(n > 8192) + u32(n > 32768) + u32(n > 131072) + u32(n > 524288) +
        u32(n > 2097152) + u32(n > 8388608) + u32(n > 33554432) + u32(n > 134217728) +
        u32(n > 536870912) + u32(n > 2147483648) + u32(n > 8589934592) + u32(n > 34359738368);
    for (round in 0..rounds) {
        launch __merge_away(block = 256, grid = ceil_div(n, __MERGE_TILE), it, other, less, round);
        launch __merge_back(block = 256, grid = ceil_div(n, __MERGE_TILE), it, other, less, round);
    }
}
