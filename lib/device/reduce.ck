// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/reduce.ck - one value of all elements, by all threads of the grid.
//
// f is associative: f(f(a, b), c) is f(a, f(b, c)), for floats as far as rounding goes. It need not
// be commutative: each warp has a run of neighbours, and runs are put together in order. Which sums
// of floats are made depends on the number of blocks alone, so that one grid gives one result.

// f of the first `count` lanes' values, in order, in all lanes; count is 1 to 32.
fn __fold_warp<T: type, F: fn>(v: T, count: u32, f: F) -> T {
    var r = v;
    var d = 1u32;
    while (d < count) {
        let other = warp.shuffle_down(r, d);
        if (warp.lane + d < count) r = f(r, other);
        d *= 2;
    }
    return warp.shuffle(r, 0);
}

// f of the first `count` threads' values, in order, in all threads; count is 1 to block.size.
fn __fold_block<T: type, F: fn>(v: T, count: u32, f: F) -> T {
    shared of_warps: T[32];
    let first = warp.rank * 32;
    var r = v;
    if (first < count) r = __fold_warp(v, min(count - first, 32), f);
    if (warp.lane == 0) of_warps[warp.rank] = r;
    block.sync();
    let warps = ceil_div(count, 32);
    return __fold_warp(of_warps[min(warp.lane, warps - 1)], warps, f);
}

// f of it[lo] to it[hi - 1], in all lanes of the warp; lo < hi. A lane takes ITEMS neighbours at a
// time, few enough that the warp's reads fill whole lines of memory.
fn __fold_run<T: type, I: type, F: fn>(it: I, lo: u64, hi: u64, f: F) -> T {
    const ITEMS = 4u64;
    var r: T;
    var tile = lo;
    while (tile < hi) {
        let i = tile + ITEMS * u64(warp.lane);
        var v: T;
        if (i < hi) v = it[i];
        unroll for (k in 1..ITEMS) {
            if (i + k < hi) v = f(v, it[i + k]);
        }
        v = __fold_warp(v, u32(min(ceil_div(hi - tile, ITEMS), 32)), f);
        r = tile == lo ? v : f(r, v);
        tile += 32 * ITEMS;
    }
    return r;
}

// f(...f(f(init, it[0]), it[1])..., it[it.len - 1]), in every thread. All threads of the grid call
// it; the block is a multiple of 32 threads.
fn grid.reduce<I: type, F: fn, T: type>(it: I, f: F, init: T) -> T {
    const RUN = 128u64;
    scratch of_blocks: T[grid.dim.x * grid.dim.y * grid.dim.z];
    let n = it.len;
    if (n == 0) return init;
    let in_block = block.size / 32;
    // The same number of elements for each warp; the last ones may have fewer, or none.
    let run = ceil_div(ceil_div(n, grid.size / 32), RUN) * RUN;
    let warps = ceil_div(n, run);
    let first = block.rank * u64(in_block);
    if (first < warps) {
        let lo = (first + u64(warp.rank)) * run;
        var v: T;
        if (lo < n) v = __fold_run<T>(it, lo, min(lo + run, n), f);
        // One value a warp: its lanes 0 go side by side.
        shared of_warps: T[32];
        if (warp.lane == 0) of_warps[warp.rank] = v;
        block.sync();
        let count = u32(min(warps - first, u64(in_block)));
        v = __fold_warp(of_warps[min(warp.lane, count - 1)], count, f);
        if (thread.rank == 0) of_blocks[block.rank] = v;
    }
    grid.sync();
    // Each block puts the blocks' values together: a thread takes neighbours.
    let blocks = ceil_div(warps, u64(in_block));
    let each = ceil_div(blocks, u64(block.size));
    let at = each * u64(thread.rank);
    var v: T;
    if (at < blocks) v = of_blocks[at];
    for (i in at + 1..min(at + each, blocks)) v = f(v, of_blocks[i]);
    return __assume_grid(f(init, __fold_block(v, u32(ceil_div(blocks, each)), f)));
}
