// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/select.ck - the elements that a condition keeps, by all threads of the grid.
//
// grid.select(it, keep, to): those for which keep(v) is true go to to[0], to[1], ... in their order
//
//   it, to        iterators; `it` ends, `to` is written and has room for what is kept. Where both are spans
//                 they may overlap if `to` starts where `it` does or before: it is done in place then. Other
//                 iterators read nothing that `to` writes
//   keep          a function that gives a bool; it is called twice for each element
//   called by     all threads of the grid, whose block is a constant multiple of 32 threads
//   result        how many were kept, in all threads; what was written is seen by all of them
//   scratch       a count a block
//   steps         each block counts what it keeps of its run; grid.sync(); it adds up the counts of the
//                 blocks before it and reads its run again; grid.sync(). In place, all blocks take one
//                 tile each at a time, with 2 grid.sync() for it
//   target        any
//
//   let k = grid.select(x, |v| v > 0, y);

fn __overlap<T: type>(it: in T[], to: out T[]) -> bool {
    let (a, b) = (u64(address(it[0])), u64(address(to[0])));
    return a < b + to.len * sizeof<T> && b < a + it.len * sizeof<T>;
}
fn __overlap<I: type, O: type>(it: I, to: O) -> bool = false;

// Tile after tile of all blocks: what a tile's elements are is known in registers before any is written.
fn __select_in_place<I: type, F: fn, O: type>(it: I, keep: F, to: O) -> u64 {
    const ITEMS = 4u64;
    const TILE = block.size * ITEMS;
    let blocks = u64(grid.dim.x * grid.dim.y * grid.dim.z);
    scratch counts: u64[grid.dim.x * grid.dim.y * grid.dim.z];
    let n = it.len;
    var done = 0u64;
    var window = 0u64;
    while (window < n) {
        let first = window + block.rank * TILE + ITEMS * u64(thread.rank);
        var items: element_of<I>[ITEMS];
        var flags: u32[ITEMS];
        unroll for (k in 0u64..ITEMS) {
            if (first + k < n) {
                items[k] = it[first + k];
                flags[k] = u32(keep(items[k]));
            }
        }
        let (places, count) = block.exclusive_scan_total(flags, +);
        if (thread.rank == 0) counts[block.rank] = u64(count);
        grid.sync();
        var before = 0u64;
        var all = 0u64;
        for (b in block.stride(blocks)) {
            all += counts[b];
            if (b < block.rank) before += counts[b];
        }
        let at = done + block.reduce(before, +);
        unroll for (k in 0u64..ITEMS) {
            if (flags[k] == 1) to[at + u64(places[k])] = items[k];
        }
        done += block.reduce(all, +);
        window += blocks * TILE;
        grid.sync();
    }
    return __assume_grid(done);
}

fn grid.select<I: type, F: fn, O: type>(it: I, keep: F, to: O) -> u64 {
    if (__assume_grid(it.len > 0 && __overlap(it, to))) return __select_in_place(it, keep, to);
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
