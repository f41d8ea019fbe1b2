// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/select.ck - stream compaction: copies the elements that satisfy a predicate, by all
// threads of the grid.
//
// grid.select(it, keep, to): copies those for which keep(v) is true to to[0], to[1], ...
//
//   it, to        iterators; `it` is finite, `to` is writable and has room for the kept elements
//   overlap       it and keep: allowed
//                 it and to: allowed for spans, rejected for iterators
//                 keep and to: rejected
//   keep          a function that returns a bool; it is called two or three times for each element
//   called by     all threads of the grid; the block's size is a constant multiple of 32
//   result        the number of kept elements, in all threads; all of them see what was written
//   scratch       one count a block
//   steps         each block counts the kept elements of its run; grid.sync(); it sums the counts
//                 of the blocks before it and reads its run again; grid.sync(). If spans overlap,
//                 the grid processes one tile per block at a time, with 2 grid.sync() each
//   target        any
//
//   let k = grid.select(x, |v| v > 0, y);

fn __overlap<T: type>(it: in T[], to: out T[]) -> bool {
    if (it.len == 0 || to.len == 0) return false;
    let (a, b) = (u64(address(it[0])), u64(address(to[0])));
    return a < b + to.len * sizeof<T> && b < a + it.len * sizeof<T>;
}
fn __overlap<I: type, O: type>(it: I, to: O) -> bool = false;

// The number of kept elements in the blocks before this one, and in all blocks.
fn __kept_of(count: u32, counts: inout u64[]) -> (u64, u64) {
    if (thread.rank == 0) counts[block.rank] = u64(count);
    grid.sync();
    let blocks = u64(grid.dim.x * grid.dim.y * grid.dim.z);
    var before = 0u64;
    var all = 0u64;
    for (b in block.stride(blocks)) {
        all += counts[b];
        if (b < block.rank) before += counts[b];
    }
    return (block.reduce(before, +), block.reduce(all, +));
}

// Processes one tile per block, from `window` on, of the elements below n: all blocks load their
// elements into registers before any is written. `at` is where the result begins in `to`, or where
// it ends if FROM_END. Returns the number of kept elements.
fn __select_window<const FROM_END: bool, I: type, F: fn, O: type>(it: I, keep: F, to: O, window: u64, n: u64, at: u64, counts: inout u64[]) -> u64 {
    const ITEMS = 4u64;
    let first = window + (block.rank * u64(block.size) + u64(thread.rank)) * ITEMS;
    var items: element_of<I>[ITEMS];
    var flags: u32[ITEMS];
    unroll for (k in 0u64..ITEMS) {
        if (first + k < n) {
            items[k] = it[first + k];
            flags[k] = u32(keep(items[k]));
        }
    }
    let (places, count) = block.exclusive_scan_total(flags, +);
    let (before, all) = __kept_of(count, counts);
    let start = (FROM_END ? at - all : at) + before;
    unroll for (k in 0u64..ITEMS) {
        if (flags[k] == 1) to[start + u64(places[k])] = items[k];
    }
    grid.sync();
    return all;
}

// Overlapping spans: `to` begins `shift` elements after `it` (0: at or before it). A kept element
// moves up as long as fewer than `shift` elements before it were dropped; these are the elements
// below `split`. They are moved from the last one on, and the others from the first one on, so that
// no element overwrites one that is still to be read (as memmove does).
fn __select_in_place<I: type, F: fn, O: type>(it: I, keep: F, to: O, shift: u64) -> u64 {
    const ITEMS = 4u64;
    let blocks = u64(grid.dim.x * grid.dim.y * grid.dim.z);
    scratch counts: u64[grid.dim.x * grid.dim.y * grid.dim.z];
    scratch found: u64[1];
    let step = blocks * u64(block.size) * ITEMS;
    let n = it.len;
    var split = 0u64;
    var moved = 0u64; // the number of kept elements below `split`
    if (shift > 0) {
        split = n;
        var left_out = 0u64;
        var window = 0u64;
        while (window < n && left_out < shift) {
            let first = window + (block.rank * u64(block.size) + u64(thread.rank)) * ITEMS;
            var flags: u32[ITEMS];
            unroll for (k in 0u64..ITEMS) {
                if (first + k < n) flags[k] = u32(!keep(it[first + k]));
            }
            let (places, count) = block.exclusive_scan_total(flags, +);
            let (before, all) = __kept_of(count, counts);
            unroll for (k in 0u64..ITEMS) {
                if (flags[k] == 1 && left_out + before + u64(places[k]) + 1 == shift) found[0] = first + k + 1;
            }
            grid.sync();
            left_out += all;
            if (left_out >= shift) split = found[0];
            window += step;
        }
        moved = split - min(left_out, shift);
        var rest = moved;
        var end = ceil_div(split, step) * step;
        while (end > 0) {
            end -= step;
            rest -= __select_window<true>(it, keep, to, end, split, rest, counts);
        }
    }
    var done = moved;
    var window = split;
    while (window < n) {
        done += __select_window<false>(it, keep, to, window, n, done, counts);
        window += step;
    }
    return __assume_grid(done);
}

// The number of elements by which `to` begins after `it`.
fn __behind<T: type>(it: in T[], to: out T[]) -> u64 {
    let (a, b) = (u64(address(it[0])), u64(address(to[0])));
    return b > a ? (b - a) / sizeof<T> : 0;
}
fn __behind<I: type, O: type>(it: I, to: O) -> u64 = 0;

fn grid.select<I: type, F: fn, O: type>(it: I, keep: F, to: O) -> u64 {
    __apart(it, keep, to);
    if (__assume_grid(__overlap(it, to))) return __select_in_place(it, keep, to, __assume_grid(__behind(it, to)));
    const ITEMS = 4u64;
    const TILE = block.size * ITEMS;
    let blocks = u64(grid.dim.x * grid.dim.y * grid.dim.z);
    scratch counts: u64[grid.dim.x * grid.dim.y * grid.dim.z];
    let n = it.len;
    let run = ceil_div(ceil_div(n, blocks), TILE) * TILE;
    let lo = min(block.rank * run, n);
    let hi = min(lo + run, n);
    var kept = 0u64;
    for (i in (lo + u64(thread.rank)..hi).step(u64(block.size))) kept += u64(keep(it[i]));
    kept = block.reduce(kept, +);
    if (thread.rank == 0) counts[block.rank] = kept;
    grid.sync();
    var before = 0u64;
    var all = 0u64;
    for (b in block.stride(blocks)) {
        all += counts[b];
        if (b < block.rank) before += counts[b];
    }
    var at = block.reduce(before, +);
    let total = block.reduce(all, +);
    var tile = lo;
    while (tile < hi) {
        var flags: u32[ITEMS];
        let first = tile + ITEMS * u64(thread.rank);
        unroll for (k in 0u64..ITEMS) {
            if (first + k < hi) flags[k] = u32(keep(it[first + k]));
        }
        let (places, count) = block.exclusive_scan_total(flags, +);
        unroll for (k in 0u64..ITEMS) {
            if (flags[k] == 1) to[at + u64(places[k])] = it[first + k];
        }
        at += u64(count);
        tile += TILE;
    }
    grid.sync();
    return __assume_grid(total);
}
