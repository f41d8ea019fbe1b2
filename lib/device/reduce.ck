// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/reduce.ck - one value of all elements, by all threads of the grid.
//
// grid.reduce(it, f, init): f(...f(f(init, it[0]), it[1])..., it[it.len - 1]); init if it is empty
//
//   it            a finite iterator. Elements are converted to init's type, which must represent
//                 them; a literal init has the elements' type
//   overlap       it and f: allowed
//   f             associative, for floats as far as rounding goes; it need not be commutative
//   called by     all threads of the grid; the block's size is a constant multiple of 32
//   result        in all threads. The order in which floats are added depends only on the number of
//                 blocks, so equal grids give equal results
//   scratch       one value a block
//   steps         each warp reduces a contiguous run, which it reads once; one grid.sync(); then
//                 each block reduces the blocks' values. On the host, unless checked, lane 0 alone
//                 reduces the run of its warp if order matters
//   target        any
//
//   let total = grid.reduce(x.map(|v| v * v), +, 0.0);

// f of it[lo] to it[hi - 1] in lane 0, for lo < hi: each lane reduces the elements that are 32
// apart.
fn __fold_strided<T: type, I: type, F: fn>(it: I, lo: u64, hi: u64, f: F) -> T {
    let first = lo + u64(warp.lane);
    var v: T;
    if (first < hi) v = it[first];
    var i = first + 32;
    while (i + 96 < hi) {
        let (a, b) = (f(__as<T>(it[i]), __as<T>(it[i + 32])), f(__as<T>(it[i + 64]), __as<T>(it[i + 96])));
        v = f(v, f(a, b));
        i += 128;
    }
    while (i < hi) {
        v = f(v, __as<T>(it[i]));
        i += 32;
    }
    return __fold_warp<false>(v, f, u32(min(hi - lo, 32)));
}

// The same for a function that isn't known to commute: a lane takes 4 adjacent elements at a time,
// few enough that the warp's loads still cover whole cache lines.
fn __fold_ordered<T: type, I: type, F: fn>(it: I, lo: u64, hi: u64, f: F) -> T {
    var r: T;
    var tile = lo;
    while (tile < hi) {
        let i = tile + 4 * u64(warp.lane);
        var v: T;
        if (i < hi) v = it[i];
        unroll for (k in 1u64..4) {
            if (i + k < hi) v = f(v, __as<T>(it[i + k]));
        }
        v = __fold_warp<false>(v, f, u32(min((hi - tile + 3) / 4, 32)));
        var next = __any(v); // unspecified in the lanes above lane 0; lane 0 has f of the tile
        if (warp.lane == 0) next = tile == lo ? v : f(r, v);
        r = next;
        tile += 128;
    }
    return r;
}

// The same by lane 0 alone, with calls of f in the same order: four adjacent elements, then pairs
// of those, and so on up to the tile of 32 lanes. `parts` works like a binary counter: entry k
// holds the value of 2^k lanes if bit k of the number of lanes so far is set. A carry combines the
// entry with the new value and moves to the next bit.
fn __fold_serial<T: type, I: type, F: fn>(it: I, lo: u64, hi: u64, f: F) -> T {
    var r: T;
    if (warp.lane > 0) return r;
    var parts: T[5];
    var tile = lo;
    while (tile < hi) {
        let lanes = u32(min((hi - tile + 3) / 4, 32));
        var v: T;
        for (lane in 0..lanes) {
            let i = tile + 4 * u64(lane);
            v = it[i];
            for (j in i + 1..min(i + 4, hi)) v = f(v, __as<T>(it[j]));
            var place = 0u32;
            while (lane >> place & 1 == 1) {
                v = f(parts[place], v);
                place += 1;
            }
            if (place < 5) parts[place] = v;
        }
        // With fewer than 32 lanes, v already is the entry of the lowest set bit.
        for (place in ctz(lanes) + 1..5) {
            if (lanes >> place & 1 == 1) v = f(parts[place], v);
        }
        r = tile == lo ? v : f(r, v);
        tile += 128;
    }
    return r;
}

fn __fold_run<T: type, I: type, F: fn>(it: I, lo: u64, hi: u64, f: F, like: T) -> T {
    comptime if (__operator(like, f) < 6) return __fold_strided<T>(it, lo, hi, f);
    else comptime if (__is_serial()) return __fold_serial<T>(it, lo, hi, f);
    else return __fold_ordered<T>(it, lo, hi, f);
}

fn grid.reduce<I: type, F: fn, T: type = element_of<I>>(it: I, f: F, init: T) -> T {
    const TILE = 128u64;
    scratch of_blocks: T[grid.dim.x * grid.dim.y * grid.dim.z];
    let n = it.len;
    if (n == 0) return init;
    const WARPS = block.size / 32;
    // Equal runs for all warps; the last warps may have fewer elements, or none.
    let run = ceil_div(ceil_div(n, grid.size / 32), TILE) * TILE;
    let warps = ceil_div(n, run);
    let first = block.rank * WARPS;
    if (first < warps) {
        shared of_warps: T[WARPS];
        let lo = (first + u64(warp.rank)) * run;
        if (lo < n) {
            let v = __fold_run(it, lo, min(lo + run, n), f, init);
            if (warp.lane == 0) of_warps[warp.rank] = v;
        }
        block.sync();
        let count = u32(min(warps - first, WARPS));
        let v = __fold_warp<false>(of_warps[min(warp.lane, count - 1)], f, count);
        if (thread.rank == 0) of_blocks[block.rank] = v;
    }
    grid.sync();
    // A thread reduces adjacent values.
    let blocks = ceil_div(warps, WARPS);
    let each = ceil_div(blocks, block.size);
    let at = each * u64(thread.rank);
    var v: T;
    if (at < blocks) v = of_blocks[at];
    for (i in at + 1..min(at + each, blocks)) v = f(v, of_blocks[i]);
    return __assume_grid(f(init, block.reduce(v, f, valid = u32(ceil_div(blocks, each)))));
}
