// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/reduce_steps.ck - one value of all elements of an iterator, by launches of kernels.
//
// reduce(it, f, init), in an algorithm: f(...f(f(init, it[0]), it[1])..., it[it.len - 1]); init if it
// is empty
//
//   it            an iterator; the greatest length that it can have is known to the host
//   overlap       it and f: allowed
//   f             associative, for floats as far as rounding goes; it need not be commutative
//   result        the order in which floats are added depends only on the length and the device, so
//                 equal calls on one device give equal results
//   launches      up to 2^16 elements 1, else 2
//   scratch       up to 2^16 elements a word of each block in persistent memory, else a value of each
//                 block
//   steps         up to 2^16 elements: each of at most 32 blocks reduces 2048 adjacent elements; the
//                 last block waits for the words of the others. Else: the blocks that the device runs
//                 at a time reduce a part each, and one block reduces their values. A sum, product,
//                 minimum, maximum or bitwise operation reads tiles in turn, any other function a run
//                 of adjacent elements a warp
//   target        any
//
//   algorithm sum(n: u64, x: in f32[n]) -> f32 = reduce(x, +, 0.0);

const __SMALL_REDUCE: u64 = 65536;
const __PARTS_MAX: u64 = 2048; // blocks that a device runs at a time

// Elements lo to hi - 1 by one thread, in order. lo < hi.
fn __fold_thread<T: type, I: type, F: fn>(it: I, lo: u64, hi: u64, f: F) -> T {
    var v: T;
    v = it[lo];
    for (i in lo + 1..hi) v = f(v, __as<T>(it[i]));
    return v;
}

// it[at] to it[at + 7]
fn __adjacent_eight<I: type>(it: I, at: u64) -> element_of<I>[8] {
    const W: u32 = __wide_count<element_of<I>>();
    const V: u32 = W > 8 ? 8 : W;
    var r: element_of<I>[8];
    if (__adjoins<V>(it)) {
        unroll for (j in 0..8 / V) {
            let a = __adjacent<V, true>(it, at + u64(j * V));
            unroll for (k in 0..V) r[j * V + k] = a[k];
        }
    } else {
        r = __adjacent<8, false>(it, at);
    }
    return r;
}

// All by one thread of the host.
fn __reduce_serial<I: type, F: fn, T: type>(it: I, f: F, init: T, total: out T[]) {
    let n = it.len;
    var v = init;
    if (n > 0) v = f(init, __fold_thread<T>(it, 0, n, f));
    total[0] = v;
}

fn __reduce_small<I: type, F: fn, T: type>(it: I, f: F, init: T, words: inout u64[], total: out T[]) {
    const EACH = 8u64;
    const TILE = EACH * u64(block.size);
    let n = it.len;
    let tag = warp.rank == 0 ? __epoch_tag() : 0;
    let lo = block.rank * TILE;
    let count = __assume_block(n > lo ? u32(min(n - lo, TILE)) : 0);
    let at = lo + EACH * u64(thread.rank);
    var v: T;
    if (at + EACH <= n) {
        let a = __adjacent_eight(it, at);
        v = a[0];
        unroll for (k in 1..8) v = f(v, __as<T>(a[k]));
    } else if (at < n) {
        v = __fold_thread<T>(it, at, n, f);
    }
    if (count > 0) v = block.reduce_to(0, v, f, valid = (count + u32(EACH) - 1) / u32(EACH));
    if (warp.rank > 0) return;
    let blocks = max(u32(ceil_div(n, TILE)), 1); // those with elements
    if (block.rank + 1 < u64(blocks)) {
        if (thread.rank == 0) __put_state(words, block.rank, v, tag | __PARTIAL);
        return;
    }
    v = warp.shuffle(v, 0);
    if (warp.lane + 1 < blocks) {
        var (got, kind) = __get_state<T>(words, u64(warp.lane), tag);
        while (kind == 0) {
            thread.yield();
            (got, kind) = __get_state<T>(words, u64(warp.lane), tag);
        }
        v = got;
    }
    if (blocks > 1) v = __fold_warp<false>(v, f, blocks);
    if (thread.rank == 0) {
        total[0] = n > 0 ? f(init, v) : init;
        __end_epoch(tag);
    }
}

// Each thread reduces its elements of one tile after the other. The grid has at most n / TILE blocks,
// so that each thread has elements, and none is read that isn't there.
fn __reduce_tiles<const U: u32, const V: u32, const WIDE: bool, T: type, I: type, F: fn>(it: I, n: u64, f: F, like: T) -> T {
    const TILE = u64(U * V * block.size);
    let whole = n / TILE * TILE;
    let step = u64(grid.dim.x) * TILE;
    let mine = u64(V * thread.rank);
    var acc: T[U];
    unroll for (u in 0..U) {
        let a = __adjacent<V, WIDE>(it, block.rank * TILE + u64(u * V * block.size) + mine);
        acc[u] = a[0];
        unroll for (k in 1..V) acc[u] = f(acc[u], __as<T>(a[k]));
    }
    for (base in (block.rank * TILE + step..whole).step(step)) {
        var a: element_of<I>[U * V];
        unroll for (u in 0..U) {
            let row = __adjacent<V, WIDE>(it, base + u64(u * V * block.size) + mine);
            unroll for (k in 0..V) a[u * V + k] = row[k];
        }
        unroll for (u in 0..U) {
            var s: T;
            s = a[u * V];
            unroll for (k in 1..V) s = f(s, __as<T>(a[u * V + k]));
            acc[u] = f(acc[u], s);
        }
    }
    var v = acc[0];
    unroll for (u in 1..U) v = f(v, acc[u]);
    for (i in (whole + grid.thread_rank..n).step(grid.size)) v = f(v, __as<T>(it[i]));
    return v;
}

// Run `block.rank` of equal runs of adjacent elements, by warps.
fn __reduce_run<T: type, I: type, F: fn>(it: I, n: u64, f: F, like: T) -> T {
    const WARPS = block.size / 32;
    let run = __reduce_run_length(n);
    let first = block.rank * WARPS;
    shared of_warps: T[WARPS];
    let lo = (first + u64(warp.rank)) * run;
    if (lo < n) {
        let v = __fold_ordered<T>(it, lo, min(lo + run, n), f);
        if (warp.lane == 0) of_warps[warp.rank] = v;
    }
    block.sync();
    let warps = ceil_div(n, run);
    let count = warps > first ? u32(min(warps - first, WARPS)) : 0;
    var v: T;
    if (count > 0) v = __fold_warp<false>(of_warps[min(warp.lane, count - 1)], f, count);
    return v;
}

// The elements that a warp takes at most, in whole tiles of 128.
fn __reduce_run_length(n: u64) -> u64 = max(ceil_div(ceil_div(n, grid.size / 32), 128), 1) * 128;

fn __reduce_runs<const U: u32, I: type, F: fn, T: type>(it: I, f: F, like: T, parts: out T[], count: out u32[]) {
    const V: u32 = __wide_count<element_of<I>>();
    let n = it.len;
    // A length that a step before this one computed may be far below the greatest one.
    let is_wide = __operator(like, f) < 6 && n >= u64(grid.dim.x) * u64(U * V * block.size);
    if (is_wide) {
        comptime if (__operator(like, f) < 6) {
            var v: T;
            if (__adjoins<V>(it)) v = __reduce_tiles<U, V, true>(it, n, f, like);
            else v = __reduce_tiles<U, V, false>(it, n, f, like);
            v = block.reduce_to(0, v, f);
            if (thread.rank == 0) parts[block.rank] = v;
        }
        if (grid.thread_rank == 0) count[0] = grid.dim.x;
    } else {
        let v = __reduce_run(it, n, f, like);
        if (thread.rank == 0) parts[block.rank] = v;
        let of_block = __reduce_run_length(n) * u64(block.size / 32);
        if (grid.thread_rank == 0) count[0] = u32(ceil_div(n, of_block));
    }
}

// The values of the blocks, in order.
fn __reduce_parts<F: fn, T: type>(parts: in T[], count: in u32[], f: F, init: T, total: out T[]) {
    let n = __assume_grid(count[0]);
    if (n == 0) {
        if (thread.rank == 0) total[0] = init;
        return;
    }
    let each = (n + block.size - 1) / block.size;
    let at = each * thread.rank;
    var v: T;
    if (at < n) v = parts[at];
    for (i in at + 1..min(at + each, n)) v = f(v, parts[i]);
    v = block.reduce_to(0, v, f, valid = (n + each - 1) / each);
    if (thread.rank == 0) total[0] = f(init, v);
}

algorithm device.reduce<I: type, F: fn, T: type = element_of<I>>(it: I, f: F, init: T) -> T {
    scratch result total: T[1];
    let n = __most(it);
    comptime if (__is_serial()) {
        launch __reduce_serial(block = 1, grid = 1, it, f, init, total);
    } else if (n <= __SMALL_REDUCE) {
        scratch persistent words: u64[32 * u64((u32(sizeof<T>) + 3) / 4)];
        launch __reduce_small(block = 256, grid = max(1, ceil_div(n, 2048)), it, f, init, words, total);
    } else {
        const TILE = 2048 * u64(__wide_count<element_of<I>>());
        scratch parts: T[__PARTS_MAX];
        scratch count: u32[1];
        launch __reduce_runs<4>(block = 512, grid = min(min(u64(resident), n / TILE), __PARTS_MAX), it, f, init, parts, count);
        launch __reduce_parts(block = 256, grid = 1, parts, count, f, init, total);
    }
    return total[0];
}
