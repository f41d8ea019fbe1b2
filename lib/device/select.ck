// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/select.ck - the elements that a condition keeps, by all threads of the grid.
//
// grid.select(it, keep, to): those for which keep(v) is true go to to[0], to[1], ... in their order
//
//   it, to        iterators; `it` ends, `to` is written and has room for what is kept
//   keep          a function that gives a bool; it is called twice for each element
//   called by     all threads of the grid, whose block is a constant multiple of 32 threads
//   result        how many were kept, in all threads; what was written is seen by all of them
//   scratch       a count a block
//   steps         each block counts what it keeps of its run; grid.sync(); it adds up the counts of the
//                 blocks before it and reads its run again; grid.sync()
//   target        any
//
//   let k = grid.select(x, |v| v > 0, y);

fn grid.select<I: type, F: fn, O: type>(it: I, keep: F, to: O) -> u64 {
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
