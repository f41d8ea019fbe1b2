// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/segmented_sort.ck - sorts the elements of each segment of a sequence by any order, by launches of
// kernels.
//
// In an algorithm:
//   segmented_sort(it, offsets, less)       segment s has elements offsets[s] to offsets[s + 1] - 1
//   segmented_sort(it, offsets, to, less)   `to` gets the sorted elements; it stays as it is
//
//   it, to        iterators of any type; `it` is readable, and writable without `to`; `to` has room
//                 for as many
//   offsets       a span or iterator of integers in order, each at most it.len; one more than there
//                 are segments. Or pairs of them, zip(begins, ends), one for each segment, of which no
//                 two have an element in common; a segment whose end isn't behind its begin is empty.
//                 Elements in no segment stay where they are; they are not copied
//   overlap       it, if it is sorted in place: each of its elements is reached in one way alone
//                 it, offsets or less and what is written: rejected
//   less          less(a, b): a comes before b; a strict weak order. Operator: <
//   result        each segment is sorted, stable
//   launches      2, or 1 if the mean length is over 512
//   scratch       a copy of the elements; two if what is written is no span
//   steps         up to a mean of 64 elements a warp sorts a segment of at most 128, up to 512 one of at
//                 most 544 elements of 4 bytes. A block sorts each other one: in shared memory up to
//                 4352, else as tiles that it merges
//   target        any
//   CUB           DeviceSegmentedSort::SortKeys(x, n, segments, begins, ends), StableSortKeys   segmented_sort(x, offsets, <)
//                 DeviceSegmentedSort::SortKeysDescending(x, ...)                             segmented_sort(x, offsets, >)
//                 DeviceSegmentedSort::SortPairs(k, v, ...)                                   segmented_sort(zip(k, v), offsets, |a, b| a[0] < b[0])
//   cuda.compute  segmented_sort                                                              segmented_sort
//
//   algorithm rows(n: u64, m: u64, x: inout i32[n], starts: in u32[m + 1]) { segmented_sort(x, starts, <); }
//   CALL: rows(x=[3, 1, 2, 9, 7], starts=[0, 3, 3, 5])
//   EXPECT: x = [1, 2, 3, 7, 9]

const __SHORT_ITEMS: u32 = 4; // of a lane, where segments are short

// Segments by the limits between them, or by a pair of limits each. `like` is an element of the offsets.
fn __segments_of<T: int>(count: u64, like: T) -> u64 = count - min(count, 1);
fn __segments_of<A: int, B: int>(count: u64, like: (A, B)) -> u64 = count;
fn __segments_of<T: type>(count: u64, like: T) -> u64 = count + u64(__is_place(like)); // refuses the type
fn __segment_of<T: int, X: type>(offsets: X, s: u64, like: T) -> (u64, u64) = (u64(offsets[s]), u64(offsets[s + 1]));
fn __segment_of<A: int, B: int, X: type>(offsets: X, s: u64, like: (A, B)) -> (u64, u64) {
    let pair = offsets[s];
    return (u64(pair[0]), max(u64(pair[0]), u64(pair[1])));
}
fn __segment_count<X: type>(offsets: X) -> u64 = __segments_of(offsets.len, __zero(offsets[0u64]));
fn __segment_at<X: type>(offsets: X, s: u64) -> (u64, u64) = __segment_of(offsets, s, __zero(offsets[0u64]));

// A warp a segment, of at most 32 * N elements.
fn __sort_by_warps<const N: u32, T: type, I: type, X: type, O: type, F: fn>(it: I, offsets: X, to: O, like: T, less: F) {
    const ROWS = (N * block.size * u32(sizeof<T>) + 15) / 16;
    shared one: u32x4[ROWS];
    shared two: u32x4[ROWS];
    let s = __step_rank() / 32;
    if (s >= __segment_count(offsets)) return;
    let (lo, hi) = __segment_at(offsets, s);
    if (hi - lo > u64(32 * N)) return;
    let count = u32(hi - lo);
    let own = warp.rank * 32 * N;
    let tile = ptr<T, shared>(address(one[0])) + own;
    for (k in (warp.lane..count).step(32)) tile[k] = it[lo + u64(k)];
    warp.sync();
    let sorted = __sort_tile<N, true>(tile, ptr<T, shared>(address(two[0])) + own, count, less);
    for (k in (warp.lane..count).step(32)) to[lo + u64(k)] = sorted[k];
}

// The elements lo to hi - 1 by the block: it sorts tiles, and merges them round by round.
fn __sort_segment<const N: u32, const IS_COPIED: bool, T: type, I: type, O: type, F: fn>(it: I, to: O, x: ptr<T, global>, y: ptr<T, global>, lo: u64, hi: u64, less: F) {
    const TILE = N * block.size;
    const ROWS = (TILE * u32(sizeof<T>) + 15) / 16;
    let rounds = __rounds_of<TILE>(hi - lo);
    {
        shared one: u32x4[ROWS];
        shared two: u32x4[ROWS];
        let tile = ptr<T, shared>(address(one[0]));
        for (at in (lo..hi).step(u64(TILE))) {
            let count = __assume_block(u32(min(hi - at, u64(TILE))));
            __start_tile(tile, __memory_of(it), at, count, __memory_of(it), at, count);
            pipeline.wait();
            block.sync();
            let sorted = __sort_tile<N, false>(tile, ptr<T, shared>(address(two[0])), count, less);
            comptime if (IS_COPIED) __put_tile(__Either(to, rounds % 2 == 1 ? y : x, rounds == 0), at, sorted, count);
            else __put_tile(rounds % 2 == 1 ? y : x, at, sorted, count);
            block.sync();
        }
    }
    for (round in 0..rounds) {
        let left = rounds - 1 - round;
        let from = left % 2 == 1 ? x : y;
        let into = left % 2 == 1 ? y : x;
        let run = u64(TILE) << u64(round);
        comptime if (IS_COPIED) __merge_range<N>(from, from, 0, __Either(to, into, left == 0), lo, hi, run, 2 * run, lo, hi, N, less);
        else __merge_range<N>(from, from, 0, into, lo, hi, run, 2 * run, lo, hi, N, less);
        block.sync();
    }
}

// The segments that have more than `most` elements. Each warp looks at the same 32 of them.
fn __sort_by_blocks<const N: u32, const IS_COPIED: bool, T: type, I: type, X: type, O: type, F: fn>(it: I, offsets: X, to: O, x: inout T[], y: inout T[], most: u32, less: F) {
    let segments = __segment_count(offsets);
    let each = ceil_div(segments, u64(grid.dim.x));
    let first = u64(block.id.x) * each;
    let last = min(first + each, segments);
    if (first >= last) return;
    let (at_x, at_y) = (__memory_of(x), __memory_of(y));
    var group = first;
    while (group < last) {
        let s = group + u64(warp.lane);
        var (lo, hi) = (0u64, 0u64);
        if (s < last) (lo, hi) = __segment_at(offsets, s);
        var left = __assume_block(warp.ballot(hi - lo > u64(most)));
        while (left != 0) {
            let lane = ctz(left);
            left &= left - 1;
            __sort_segment<N, IS_COPIED>(it, to, at_x, at_y, __assume_block(warp.shuffle(lo, lane)), __assume_block(warp.shuffle(hi, lane)), less);
        }
        group += 32;
    }
}

fn __sort_segments_serial<const IS_COPIED: bool, T: type, I: type, X: type, O: type, F: fn>(it: I, offsets: X, to: O, x: inout T[], y: inout T[], less: F) {
    for (s in 0..__segment_count(offsets)) {
        let (lo, hi) = __segment_at(offsets, s);
        __merge_sort_serial<IS_COPIED>(it, to, x, y, lo, hi - lo, less);
    }
}

algorithm device.__segmented_sort<const IS_COPIED: bool, I: type, X: type, O: type, T: type, F: fn>(it: I, offsets: X, to: O, x: inout T[], y: inout T[], less: F) {
    let n = __most(it);
    __fits(offsets.len, 1 - __segments_of(1, __zero(offsets[0u64])), "'offsets'");
    let segments = __segments_of(__most(offsets), __zero(offsets[0u64]));
    const N: u32 = __merge_items<T>();
    const MERGERS: u32 = min(__merge_threads<T>(), __shared_most() > 65536 ? 256 : 128);
    let like = __zero(x[0]);
    comptime if (__is_serial()) {
        launch __sort_segments_serial<IS_COPIED>(block = 1, grid = 1, it, offsets, to, x, y, less);
    } else {
        const WARPS: u32 = MERGERS / 32;
        let is_short = n <= 64 * segments;
        let is_medium = n <= 512 * segments;
        if (is_short) launch __sort_by_warps<__SHORT_ITEMS>(block = MERGERS, grid = ceil_div(segments, u64(WARPS)), it, offsets, to, like, less);
        else if (is_medium) launch __sort_by_warps<N>(block = MERGERS, grid = ceil_div(segments, u64(WARPS)), it, offsets, to, like, less);
        launch __sort_by_blocks<N, IS_COPIED>(block = MERGERS, blocks_per_sm = sizeof<T> <= 16 ? 2 : 1, grid = min(segments, u64(resident)), it, offsets, to, x, y,
            is_short ? 32 * __SHORT_ITEMS : is_medium ? 32 * N : 0, less);
    }
}
algorithm device.__segmented_sort_to<I: type, X: type, T: type, F: fn>(it: I, offsets: X, to: inout T[], less: F) {
    scratch other: T[__most(it)];
    device.__segmented_sort<false>(it, offsets, to, to, other, less);
}
algorithm device.__segmented_sort_to<I: type, X: type, O: type, F: fn>(it: I, offsets: X, to: O, less: F) {
    scratch one: element_of<I>[__most(it)];
    scratch two: element_of<I>[__most(it)];
    device.__segmented_sort<true>(it, offsets, to, one, two, less);
}
algorithm device.segmented_sort<I: type, X: type, F: fn>(it: I, offsets: X, less: F) {
    __apart(it);
    let all = take(offsets, __finite(__most(offsets))); // spans of one parameter count as overlapping as well
    __apart(all, less, it);
    device.__segmented_sort_to(it, offsets, it, less);
}
algorithm device.segmented_sort<I: type, X: type, O: type, F: fn>(it: I, offsets: X, to: O, less: F) {
    let (elements, all) = (take(it, __finite(__most(it))), take(offsets, __finite(__most(offsets))));
    __apart(elements, all, less, to);
    __fits(__room(to), it.len, "'to'");
    device.__segmented_sort_to(it, offsets, to, less);
}
