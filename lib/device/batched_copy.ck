// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/batched_copy.ck - copies many ranges of different lengths, by launches of kernels.
//
// batched_copy(it, begins, lengths, to, places), in an algorithm: range r, the lengths[r] elements from
// it[begins[r]] on, to to[places[r]] and on
//
//   it, to        iterators; `it` is readable, `to` writable. Ranges of `it` may overlap; no element of
//                 `to` is in two of its ranges, so that it has at least as many as are copied
//   begins, lengths, places   spans or iterators of integers, one for each range; lengths is finite
//   overlap       it, begins, lengths or places and to: rejected
//   launches      that of inclusive_scan, and 1
//   scratch       8 bytes for each range, and what inclusive_scan needs
//   steps         a scan of the lengths numbers the elements that are copied. A block takes tiles of
//                 them, so that a long range has many blocks and short ones share a block; each element's
//                 range is found by a binary search among the tile's
//   target        any
//   CUB           DeviceCopy::Batched(from, to, sizes, n)     batched_copy(x, begins, lengths, y, places)
//                 DeviceMemcpy::Batched(from, to, sizes, n)   batched_copy(x, begins, lengths, y, places)
//   Thrust        beyond Thrust                               batched_copy(x, begins, lengths, y, places)
//
//   algorithm pack(n: u64, m: u64, k: u64, x: in i32[n], begins: in u32[m], lengths: in u32[m], places: in u32[m], y: out i32[k]) {
//       batched_copy(x, begins, lengths, y, places);
//   }
//   CALL: pack(x=[1, 2, 3, 4, 5], begins=[3, 0], lengths=[2, 3], places=[0, 2], y=zeros:5)
//   EXPECT: y = [4, 5, 1, 2, 3]
//
//     lengths   2   0   5       3            ends of the ranges' numbers: 2 2 7 10
//     numbers   0 1     2 3 4 5 6 7 8 9
//     tiles    |0 1     2 3   |4 5 6 7   |8 9   element 5: the first end over 5 is that of range 2, whose
//                                               element 5 - 2 it is

const __COPY_ITEMS: u32 = 8; // of a thread, all read before the first is written

// The least r below `high` with an end over i.
fn __range_of(ends: in u64[], low: u64, high: u64, i: u64) -> u64 {
    var (lo, hi) = (low, high);
    while (lo < hi) {
        let m = (lo + hi) / 2;
        if (ends[m] > i) hi = m;
        else lo = m + 1;
    }
    return lo;
}

fn __copy_ranges<I: type, B: type, O: type, P: type>(it: I, begins: B, to: O, places: P, ends: in u64[], ranges: u64) {
    const TILE = u64(__COPY_ITEMS * block.size);
    shared bounds: u64[2];
    if (ranges == 0) return;
    let n = ends[ranges - 1];
    for (tile in (u64(block.id.x) * TILE..n).step(u64(grid.dim.x) * TILE)) {
        block.sync();
        if (thread.rank % 32 == 0 && thread.rank < 64)
            bounds[thread.rank / 32] = __range_of(ends, 0, ranges - 1, min(tile + u64(thread.rank / 32) * (TILE - 1), n - 1));
        block.sync();
        let (first, last) = (bounds[0], bounds[1]);
        var v: element_of<I>[__COPY_ITEMS];
        var at: u64[__COPY_ITEMS];
        unroll for (k in 0..__COPY_ITEMS) {
            let i = tile + u64(k * block.size + thread.rank);
            if (i < n) {
                let r = __range_of(ends, first, last, i);
                let own = i - (r > 0 ? ends[r - min(r, 1)] : 0);
                v[k] = it[u64(begins[r]) + own];
                at[k] = u64(places[r]) + own;
            }
        }
        unroll for (k in 0..__COPY_ITEMS) {
            if (tile + u64(k * block.size + thread.rank) < n) to[at[k]] = v[k];
        }
    }
}
fn __copy_ranges_serial<I: type, B: type, L: type, O: type, P: type>(it: I, begins: B, lengths: L, to: O, places: P) {
    for (r in 0..lengths.len) {
        let (from, into) = (u64(begins[r]), u64(places[r]));
        for (k in 0..u64(lengths[r])) to[into + k] = it[from + k];
    }
}

algorithm device.batched_copy<I: type, B: type, L: type, O: type, P: type>(it: I, begins: B, lengths: L, to: O, places: P) {
    static_assert(sizeof(__is_place(begins[0u64])) == 1, "");
    static_assert(sizeof(__is_place(lengths[0u64])) == 1, "");
    static_assert(sizeof(__is_place(places[0u64])) == 1, "");
    let ranges = __finite(__most(lengths));
    let elements = take(it, __finite(__most(to))); // spans of one parameter count as overlapping as well
    let (all_begins, all_lengths, all_places) = (take(begins, ranges), take(lengths, ranges), take(places, ranges));
    __apart(elements, all_begins, all_lengths, all_places, to);
    __fits(__room(begins), lengths.len, "'begins'");
    __fits(__room(places), lengths.len, "'places'");
    comptime if (__is_serial()) {
        launch __copy_ranges_serial(block = 1, grid = 1, it, begins, lengths, to, places);
    } else if (ranges > 0) {
        scratch ends: u64[ranges];
        device.inclusive_scan(lengths.map(|n| u64(n)), ends, +);
        launch __copy_ranges(block = 256, grid = min(ceil_div(__most(to), 256 * u64(__COPY_ITEMS)), u64(resident)),
            it, begins, to, places, ends, lengths.len);
    }
}
