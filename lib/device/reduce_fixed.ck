// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/reduce_fixed.ck - reduces elements in an order that depends on their number alone, so that
// sums of floats have the same bits on every GPU and on the host. device/reduce_steps.ck has the
// contract: reduce(it, f, init, determinism = gpu_to_gpu).
//
// The order is a tree. A part is a run of whole tiles of 4 rows of 512 columns; a column of a row has
// the V elements that one access of 16 bytes reads. There are at most 2048 parts, as long as needed:
//
//     part     | tile                        | tile  ...
//     row 0    | c0 c0 c0 c0 c1 c1 c1 c1 ... c511 |    column c adds up its V elements in a row, then
//     row 1    | ...                              |    those of the tiles for each of the 4 rows; then
//     row 2, 3 | ...                              |    (row 0 + row 1) + (row 2 + row 3)
//
//     512 columns: c and c + 16 of each 32, c and c + 8, ... then so the 16 sums of those
//     parts:       p, p + 512, p + 1024, p + 1536 are column p of such a tree
//
// Elements that aren't there are -0.0, which changes no sum. A tree costs no more than the order of
// device/reduce_steps.ck: each element is read once, and a block takes a part on every device. CUB adds
// up in bins for the exponents instead (Ahrens, Demmel and Nguyen, "Algorithms for Efficient
// Reproducible Floating Point Summation", 2020), whose result doesn't even depend on the order of the
// elements, for about ten operations an element.
//
// A product that an element is made of must not be fused with the sum, since that is up to the
// compiler of each device: PTX's add.rn is never fused.

const __FIXED_PARTS: u64 = 2048;
const __FIXED_COLUMNS: u32 = 512;

fn __fixed_tile<E: type>() -> u64 = 4 * __FIXED_COLUMNS * u64(__wide_count<E>());
// The elements of a part of n.
fn __fixed_part<E: type>(n: u64) -> u64 = __fixed_tile<E>() * max(ceil_div(n, __fixed_tile<E>() * __FIXED_PARTS), 1);
fn __fixed_count<E: type>(n: u64) -> u64 = max(ceil_div(n, __fixed_part<E>(n)), 1);

// f(a, b); a sum without fusing. `none`: 0 that the host's compiler doesn't know.
fn __fixed_join<F: fn, T: type>(a: T, b: T, f: F) -> T = f(a, b);
fn __fixed_join<F: fn>(a: f32, b: f32, f: F) -> f32 {
    comptime if (__operator(a, f) == 0 && !__is_host()) return asm<f32>("add.rn.f32 $0, $1, $2;", a, b);
    else return f(a, b);
}
fn __fixed_join<F: fn>(a: f64, b: f64, f: F) -> f64 {
    comptime if (__operator(a, f) == 0 && !__is_host()) return asm<f64>("add.rn.f64 $0, $1, $2;", a, b);
    else return f(a, b);
}
// An element, which the host's compiler can't take for a product. `zero` is 0, and it doesn't know that.
fn __fixed_element<T: type>(v: T, zero: u64) -> T = v;
fn __fixed_element(v: f32, zero: u64) -> f32 {
    comptime if (__is_host()) return bit_cast<f32>(bit_cast<u32>(v) ^ u32(zero));
    else return v;
}
fn __fixed_element(v: f64, zero: u64) -> f64 {
    comptime if (__is_host()) return bit_cast<f64>(bit_cast<u64>(v) ^ zero);
    else return v;
}

// The value of a column of the elements from `lo` to hi - 1. WIDE: they are aligned for vectors.
fn __fixed_column<const WIDE: bool, I: type, F: fn, T: type>(it: I, lo: u64, hi: u64, column: u32, f: F, none: T) -> T {
    const V: u32 = __wide_count<element_of<I>>();
    const ROW = u64(__FIXED_COLUMNS * V);
    let zero = it.len >> 63;
    var acc: T[4];
    unroll for (u in 0..4u32) acc[u] = none;
    var at = lo + u64(column * V);
    var tile = lo;
    while (tile + 4 * ROW <= hi) {
        var a: element_of<I>[4 * V];
        unroll for (u in 0..4u32) {
            let row = __adjacent<V, WIDE>(it, at + u64(u) * ROW);
            unroll for (k in 0..V) a[u * V + k] = row[k];
        }
        unroll for (u in 0..4u32) {
            var v: T;
            v = __fixed_element(__as<T>(a[u * V]), zero);
            unroll for (k in 1..V) v = __fixed_join(v, __fixed_element(__as<T>(a[u * V + k]), zero), f);
            acc[u] = __fixed_join(acc[u], v, f);
        }
        tile += 4 * ROW;
        at += 4 * ROW;
    }
    unroll for (u in 0..4u32) {
        let first = at + u64(u) * ROW;
        if (first < hi) {
            var v: T;
            v = __fixed_element(__as<T>(it[first]), zero);
            unroll for (k in 1u64..u64(V)) {
                if (first + k < hi) v = __fixed_join(v, __fixed_element(__as<T>(it[first + k]), zero), f);
            }
            acc[u] = __fixed_join(acc[u], v, f);
        }
    }
    return __fixed_join(__fixed_join(acc[0], acc[1], f), __fixed_join(acc[2], acc[3], f), f);
}
fn __fixed_column<I: type, F: fn, T: type>(it: I, part: u64, column: u32, f: F, none: T) -> T {
    const V: u32 = __wide_count<element_of<I>>();
    let n = it.len;
    let size = __fixed_part<element_of<I>>(n);
    let (lo, hi) = (min(part * size, n), min((part + 1) * size, n));
    if (__adjoins<V>(it)) return __fixed_column<true>(it, lo, hi, column, f, none);
    return __fixed_column<false>(it, lo, hi, column, f, none);
}
// The same of the parts' values.
fn __fixed_parts<F: fn, T: type>(parts: in T[], count: u64, column: u32, f: F, none: T) -> T {
    var v = none;
    unroll(1) for (i in (u64(column)..count).step(u64(__FIXED_COLUMNS))) v = __fixed_join(v, parts[i], f);
    return v;
}

// The trees of lanes in lane 0, and of the block's columns in thread 0.
fn __fixed_lanes<const LANES: u32, F: fn, T: type>(v: T, f: F) -> T {
    var r = v;
    const STEPS = ctz(LANES);
    unroll for (k in 0..STEPS) r = __fixed_join(r, warp.shuffle_down(r, LANES / 2 >> k), f);
    return r;
}
fn __fixed_block<F: fn, T: type>(v: T, f: F, none: T) -> T {
    shared of_warps: T[16];
    let r = __fixed_lanes<32>(v, f);
    if (warp.lane == 0) of_warps[warp.rank] = r;
    block.sync();
    return __fixed_lanes<16>(of_warps[warp.lane % 16], f);
}
// The same by one thread, of values that are `apart` from each other.
fn __fixed_tree<const LANES: u32, F: fn, T: type>(values: inout T[], first: u32, apart: u32, f: F) {
    const STEPS = ctz(LANES);
    for (k in 0..u32(STEPS)) {
        let half = LANES / 2 >> k;
        for (i in 0..half) {
            let at = first + i * apart;
            values[at] = __fixed_join(values[at], values[at + half * apart], f);
        }
    }
}
fn __fixed_columns<F: fn, T: type>(values: inout T[], f: F) -> T {
    for (w in 0..16u32) __fixed_tree<32>(values, 32 * w, 1, f);
    __fixed_tree<16>(values, 0, 32, f);
    return values[0];
}

// ---- kernels ----

// Up to 32 parts: the last block waits for the values of the others.
fn __fixed_small<I: type, F: fn, T: type>(it: I, f: F, init: T, words: inout u64[], total: out T[]) {
    let parts = u32(__fixed_count<element_of<I>>(it.len));
    let rank = block.id.x;
    if (rank >= parts) return;
    let tag = warp.rank == 0 ? __epoch_tag() : 0;
    let none = __Plain().none(f, init);
    var v = __fixed_block(__fixed_column(it, u64(rank), thread.rank, f, none), f, none);
    if (warp.rank > 0) return;
    if (rank + 1 < parts) {
        if (thread.rank == 0) __put_state(words, u64(rank), v, tag | __PARTIAL);
        return;
    }
    if (parts > 1) {
        let own = warp.shuffle(v, 0);
        v = warp.lane + 1 == parts ? own : none;
        if (warp.lane + 1 < parts) v = __await_state<T>(words, u64(warp.lane), tag);
        v = __fixed_lanes<32>(v, f);
    }
    if (thread.rank == 0) {
        total[0] = __fixed_join(init, v, f);
        __end_epoch(tag);
    }
}

fn __fixed_values<I: type, F: fn, T: type>(it: I, f: F, init: T, parts: out T[]) {
    if (u64(block.id.x) >= __fixed_count<element_of<I>>(it.len)) return;
    let none = __Plain().none(f, init);
    let v = __fixed_block(__fixed_column(it, u64(block.id.x), thread.rank, f, none), f, none);
    if (thread.rank == 0) parts[u64(block.id.x)] = v;
}
fn __fixed_total<I: type, F: fn, T: type>(it: I, f: F, init: T, parts: in T[], total: out T[]) {
    let none = __Plain().none(f, init);
    let count = __fixed_count<element_of<I>>(it.len);
    let v = __fixed_block(__fixed_parts(parts, count, thread.rank, f, none), f, none);
    if (thread.rank == 0) total[0] = __fixed_join(init, v, f);
}

// All by one thread of the host.
fn __fixed_serial<I: type, F: fn, T: type>(it: I, f: F, init: T, parts: inout T[], values: inout T[], total: out T[]) {
    let none = __Plain().none(f, init);
    let count = __fixed_count<element_of<I>>(it.len);
    for (p in 0..count) {
        for (c in 0..__FIXED_COLUMNS) values[c] = __fixed_column(it, p, c, f, none);
        parts[p] = __fixed_columns(values, f);
    }
    for (c in 0..__FIXED_COLUMNS) values[c] = __fixed_parts(parts, count, c, f, none);
    total[0] = __fixed_join(init, __fixed_columns(values, f), f);
}

algorithm device.__reduce_fixed<I: type, F: fn, T: type>(it: I, f: F, init: T) -> T {
    static_assert(__operator(init, f) < 6, "determinism = gpu_to_gpu is for sums and other functions that the library knows, not for a function of the program");
    scratch result total: T[1];
    let most = ceil_div(__most(it), __fixed_tile<element_of<I>>());
    comptime if (__is_serial()) {
        scratch parts: T[__FIXED_PARTS];
        scratch values: T[__FIXED_COLUMNS];
        launch __fixed_serial(block = 1, grid = 1, it, f, init, parts, values, total);
    } else if (most <= 32) {
        scratch persistent words: u64[32 * u64((u32(sizeof<T>) + 3) / 4)];
        launch __fixed_small(block = 512, grid = max(most, 1), blocks_per_sm = 2, it, f, init, words, total);
    } else {
        scratch parts: T[__FIXED_PARTS];
        launch __fixed_values(block = 512, grid = min(most, __FIXED_PARTS), blocks_per_sm = 3, it, f, init, parts);
        launch __fixed_total(block = 512, grid = 1, it, f, init, parts, total);
    }
    return total[0];
}
