// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/select.ck - the elements that a condition keeps, by all threads of the grid.
//
// grid.select(it, keep, to): those for which keep(v) is true go to to[0], to[1], ... in their order
//
//   it, to        iterators; `it` ends, `to` is written and has room for what is kept
//   overlap       it and keep: right
//                 it and to: spans are right, iterators are refused
//                 keep and to: refused
//   keep          a function that gives a bool; it is called two or three times for each element
//   called by     all threads of the grid, whose block is a constant multiple of 32 threads
//   result        how many were kept, in all threads; what was written is seen by all of them
//   scratch       a count a block
//   steps         each block counts what it keeps of its run; grid.sync(); it adds up the counts of the
//                 blocks before it and reads its run again; grid.sync(). Of spans that overlap all blocks take
//                 one tile each at a time, with 2 grid.sync() for it
//   target        any
//
//   let k = grid.select(x, |v| v > 0, y);

fn __overlap<T: type>(it: in T[], to: out T[]) -> bool {
    if (it.len == 0 || to.len == 0) return false;
    let (a, b) = (u64(address(it[0])), u64(address(to[0])));
    return a < b + to.len * sizeof<T> && b < a + it.len * sizeof<T>;
}
fn __overlap<I: type, O: type>(it: I, to: O) -> bool = false;

// Where a tile of all blocks is written: the kept elements of the blocks before this one, and of all.
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

// The tile of all blocks at `window`, of the elements below n: what they are is known in registers before any is
// written. FROM_END: `at` is where it ends in `to`, otherwise where it begins. Returns how many it keeps.
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

// Of spans that overlap, `to` begins `shift` elements behind `it`, or 0 where it begins there or before. An element
// moves up as long as fewer than `shift` of those before it were left out; the first `split` elements do, and those
// that are kept of them go up from the last one, so that none lands on one that is still to be read. The others go
// down from the first one.
fn __select_in_place<I: type, F: fn, O: type>(it: I, keep: F, to: O, shift: u64) -> u64 {
    const ITEMS = 4u64;
    let blocks = u64(grid.dim.x * grid.dim.y * grid.dim.z);
    scratch counts: u64[grid.dim.x * grid.dim.y * grid.dim.z];
    scratch found: u64[1];
    let step = blocks * u64(block.size) * ITEMS;
    let n = it.len;
    var split = 0u64;
    var moved = 0u64; // of those, how many are kept
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

// How far `to` begins behind `it`.
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
