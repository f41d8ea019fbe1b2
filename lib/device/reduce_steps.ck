// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/reduce_steps.ck - one value of all elements of an iterator, by launches of kernels.
//
// reduce(it, f, init), in an algorithm: f(...f(f(init, it[0]), it[1])..., it[it.len - 1]); init if it
// is empty. reduce(it, f, init, determinism = gpu_to_gpu): in an order that no device changes
//
//   it            an iterator; the greatest length that it can have is known to the host
//   overlap       it and f: allowed
//   f             associative, for floats as far as rounding goes; it need not be commutative
//   determinism   run_to_run (without it): the order in which floats are added depends only on the
//                 length, the alignment of spans and the device, so equal calls on one device give
//                 equal results. gpu_to_gpu: on the length alone, so that every GPU and the host give
//                 the same bits of elements that are the same; for functions of the library, such as +
//                 (device/reduce_fixed.ck). not_guaranteed: in any order; today that of run_to_run,
//                 which costs no more than one by atomic operations
//   launches      up to 2^16 elements 1, else 2; gpu_to_gpu: up to 2^18 of 4 bytes 1
//   scratch       up to 2^16 elements a word of each block in persistent memory, else a value of each
//                 block
//   steps         up to 2^16 elements: each of at most 32 blocks reduces 2048 adjacent elements; the
//                 last block waits for the words of the others. Else: the blocks that the device runs
//                 at a time reduce a part each, and one block reduces their values. A sum, minimum,
//                 maximum or bitwise operation reads tiles in turn, any other function a run of
//                 adjacent elements a warp, of more than 8 bytes by shared memory
//   target        any
//   CUB           DeviceReduce::Reduce(x, y, n, f, init)   reduce(x, f, init)
//                 DeviceReduce::Sum(x, y, n)             reduce(x, +, 0)
//                 DeviceReduce::Min(x, y, n), Max        reduce(x, min, greatest), reduce(x, max, least)
//                 DeviceReduce::TransformReduce(x, y, n, f, t, init)   reduce(x.map(t), f, init)
//                 DeviceReduce::Sum(x, y, n, require(determinism::gpu_to_gpu))   reduce(x, +, 0, determinism = gpu_to_gpu)
//   Thrust        reduce, transform_reduce               reduce(x, f, init)
//                 inner_product(x, y, init)              reduce(zip(x, y).map(|p| p[0] * p[1]), +, init)
//                 count_if(x, p)                         reduce(x.map(|v| u64(p(v))), +, 0u64)
//   cuda.compute  reduce_into                            reduce(x, f, init)
//
//   algorithm sum(n: u64, x: in f32[n]) -> f32 = reduce(x, +, 0.0);
//   CALL: sum(x=[1, 2, 4])
//   EXPECT: result = 7
//
// A function that commutes reads rows, each a vector of 16 bytes a thread, and four rows at a time:
//
//     tile          row 0            row 1            row 2            row 3
//     threads    0 1 2 ... 511    0 1 2 ... 511    0 1 2 ... 511    0 1 2 ... 511
//     block b: tiles b, b + grid, b + 2 grid, ... as long as each block has one. Then the rows that
//     are left: row b, b + grid, ... of them, at most four; then less than a row, by the last block
//
// The number of an element is a multiple of the row's length plus a constant, written as such in each
// iteration, so that what a function computes from it (is it even?) is known to the compiler.

// Values of `determinism`.
const run_to_run: u32 = 26;
const gpu_to_gpu: u32 = 27;
const not_guaranteed: u32 = 28;

const __SMALL_REDUCE: u64 = 65536;
const __PARTS_MAX: u64 = 2048; // blocks that a device runs at a time

// ---- what is reduced: elements, or what `how` makes of adjacent ones ----

// `how` has these methods, and other algorithms have others (device/arg.ck).
struct __Plain {
    no: u8 = 0;
    // The V elements from number `at` on, as one value.
    fn fold<T: type, E: type, const V: u32, F: fn>(row: E[V], at: u64, f: F, like: T) -> T {
        var v: T;
        v = row[0];
        unroll for (k in 1..V) v = f(v, __as<T>(row[k]));
        return v;
    }
    // f(a, b) where the elements of b come after those of a.
    fn join<T: type, F: fn>(a: T, b: T, f: F) -> T = f(a, b);
    // What may be combined with the value of all elements any number of times: the neutral element of
    // a sum; f(init, init) is init for the others.
    fn none<F: fn, T: type>(f: F, init: T) -> T {
        comptime if (__operator(init, f) == 0 || __operator(init, f) == 5) return __nothing(init);
        else return init;
    }
    fn fold_lanes<T: type, F: fn>(v: T, f: F) -> T = __fold_lanes(v, f);
    fn fold_copies<const WARPS: u32, T: type, F: fn>(v: T, none: T, f: F) -> T = __fold_copies<WARPS>(v, none, f);
}

// ---- functions that commute ----

// f of all lanes' values, in all lanes.
fn __fold_lanes<T: type, F: fn>(v: T, f: F) -> T = warp.reduce(v, f);
fn __fold_lanes<F: fn>(v: u64, f: F) -> u64 {
    comptime if (__operator(v, f) == 0 && !__is_host() && __sm() >= 80) return __sum_lanes(v);
    else return warp.reduce(v, f);
}
fn __fold_lanes<F: fn>(v: i64, f: F) -> i64 {
    comptime if (__operator(v, f) == 0 && !__is_host() && __sm() >= 80) return i64(__sum_lanes(u64(v)));
    else return warp.reduce(v, f);
}
// Three sums of 32 bits, one instruction each, have a shorter latency than five steps of two shuffles:
// 32 numbers of 27 bits add up to less than 2^32.
fn __sum_lanes(v: u64) -> u64 =
    u64(warp.sum(u32(v) & 0x7ffffff)) + (u64(warp.sum(u32(v >> 27) & 0x7ffffff)) << 27) + (u64(warp.sum(u32(v >> 54))) << 54);

// The same of lanes 0 to WARPS - 1, where the other ones repeat their values in turn, so that the
// shuffles are those of whole warps.
fn __fold_copies<const WARPS: u32, T: type, F: fn>(v: T, none: T, f: F) -> T {
    var r = v;
    const STEPS = ctz(WARPS);
    unroll for (k in 0..STEPS) r = f(r, warp.shuffle_xor(r, WARPS / 2 >> k));
    return r;
}
fn __fold_copies<const WARPS: u32, F: fn>(v: u32, none: u32, f: F) -> u32 = __fold_lanes(warp.lane < WARPS ? v : none, f);
fn __fold_copies<const WARPS: u32, F: fn>(v: i32, none: i32, f: F) -> i32 = __fold_lanes(warp.lane < WARPS ? v : none, f);
fn __fold_copies<const WARPS: u32, F: fn>(v: u64, none: u64, f: F) -> u64 = __fold_lanes(warp.lane < WARPS ? v : none, f);
fn __fold_copies<const WARPS: u32, F: fn>(v: i64, none: i64, f: F) -> i64 = __fold_lanes(warp.lane < WARPS ? v : none, f);

// f of all threads' values, in all lanes of the first warp.
fn __fold_block<H: type, T: type, F: fn>(how: H, v: T, none: T, f: F) -> T {
    const WARPS = block.size / 32;
    shared of_warps: T[WARPS];
    let r = how.fold_lanes(v, f);
    if (warp.lane == 0) of_warps[warp.rank] = r;
    block.sync();
    return how.fold_copies<WARPS>(of_warps[warp.lane % WARPS], none, f);
}

fn __reduce_small<H: type, I: type, F: fn, T: type>(it: I, how: H, f: F, init: T, words: inout u64[], total: out T[]) {
    const V: u32 = __wide_count<element_of<I>>();
    const R: u32 = max(8 / V, 1);
    const TILE = R * V * block.size;
    let n = u32(it.len);
    let blocks = max(ceil_div(n, TILE), 1); // those with elements
    let rank = block.id.x;
    if (rank >= blocks) return;
    let tag = warp.rank == 0 ? __epoch_tag() : 0;
    let none = how.none(f, init);
    let lo = rank * TILE;
    var v = none;
    if (lo + TILE <= n && __adjoins<V>(it)) {
        var a: element_of<I>[R * V];
        unroll for (r in 0..R) {
            let row = __adjacent<V, true>(it, u64(lo + (r * block.size + thread.rank) * V));
            unroll for (k in 0..V) a[r * V + k] = row[k];
        }
        unroll for (r in 0..R) {
            var row: element_of<I>[V];
            unroll for (k in 0..V) row[k] = a[r * V + k];
            let s = how.fold(row, u64(lo + (r * block.size + thread.rank) * V), f, init);
            v = r == 0 ? s : how.join(v, s, f);
        }
    } else {
        unroll(1) for (i in (lo + thread.rank..min(lo + TILE, n)).step(block.size))
            v = how.join(v, how.fold([it[i]], u64(i), f, init), f);
    }
    v = __fold_block(how, v, none, f);
    if (warp.rank > 0) return;
    if (rank + 1 < blocks) {
        if (thread.rank == 0) __put_state(words, u64(rank), v, tag | __PARTIAL);
        return;
    }
    if (blocks > 1) {
        // Lane 0 has the value of this block, the others get those of the blocks before.
        if (warp.lane > 0) {
            v = none;
            if (warp.lane < blocks) v = __await_state<T>(words, u64(warp.lane - 1), tag);
        }
        v = how.fold_lanes(v, f);
    }
    if (thread.rank == 0) {
        total[0] = f(init, v);
        __end_epoch(tag);
    }
}

// Value `at`, as soon as it is there.
fn __await_state<T: type>(words: inout u64[], at: u64, tag: u32) -> T {
    var (got, kind) = __get_state<T>(words, at, tag);
    while (kind == 0) {
        thread.yield();
        (got, kind) = __get_state<T>(words, at, tag);
    }
    return got;
}

// The elements of this thread, in rows.
fn __fold_rows<const U: u32, const V: u32, H: type, I: type, F: fn, T: type>(how: H, it: I, n: u64, f: F, none: T) -> T {
    const ROW = u64(V * block.size);
    const TILE = u64(U) * ROW;
    let blocks = u64(grid.dim.x);
    let rank = u64(block.id.x);
    let mine = u64(thread.rank) * u64(V);
    var acc: T[U];
    unroll for (u in 0..U) acc[u] = none;
    let tiles = n / TILE;
    var round = 0u64;
    while (round + blocks <= tiles) {
        let first = (round + rank) * TILE + mine;
        var a: element_of<I>[U * V];
        unroll for (u in 0..U) {
            let row = __adjacent<V, true>(it, first + u64(u) * ROW);
            unroll for (k in 0..V) a[u * V + k] = row[k];
        }
        unroll for (u in 0..U) {
            var row: element_of<I>[V];
            unroll for (k in 0..V) row[k] = a[u * V + k];
            acc[u] = how.join(acc[u], how.fold(row, first + u64(u) * ROW, f, none), f);
        }
        round += blocks;
    }
    let rest = round * TILE;
    let rows = (n - rest) / ROW;
    var a: element_of<I>[U * V];
    unroll for (u in 0..U) {
        let at = rank + u64(u) * blocks;
        if (at < rows) {
            let row = __adjacent<V, true>(it, rest + at * ROW + mine);
            unroll for (k in 0..V) a[u * V + k] = row[k];
        }
    }
    unroll for (u in 0..U) {
        let at = rank + u64(u) * blocks;
        if (at < rows) {
            var row: element_of<I>[V];
            unroll for (k in 0..V) row[k] = a[u * V + k];
            acc[u] = how.join(acc[u], how.fold(row, rest + at * ROW + mine, f, none), f);
        }
    }
    var v = acc[0];
    unroll for (u in 1..U) v = f(v, acc[u]);
    if (rank + 1 == blocks) {
        unroll(1) for (i in (rest + rows * ROW + u64(thread.rank)..n).step(u64(block.size)))
            v = f(v, how.fold([it[i]], i, f, none));
    }
    return v;
}

// The elements of this thread, which are a grid apart; for spans that aren't aligned.
fn __fold_apart<H: type, I: type, F: fn, T: type>(how: H, it: I, n: u64, f: F, none: T) -> T {
    let step = __step_size();
    var v = none;
    var i = __step_rank();
    while (i + 3 * step < n) {
        let (a, b, c, d) = (it[i], it[i + step], it[i + 2 * step], it[i + 3 * step]);
        v = how.join(v, how.fold([a], i, f, none), f);
        v = how.join(v, how.fold([b], i + step, f, none), f);
        v = how.join(v, how.fold([c], i + 2 * step, f, none), f);
        v = how.join(v, how.fold([d], i + 3 * step, f, none), f);
        i += 4 * step;
    }
    unroll(1) for (k in (i..n).step(step)) v = how.join(v, how.fold([it[k]], k, f, none), f);
    return v;
}

const __PARTS_READ: u32 = 512; // before their number is known

fn __reduce_rows<const U: u32, const V: u32, H: type, I: type, F: fn, T: type>(it: I, how: H, f: F, init: T, parts: out T[], count: out u32[]) {
    let n = it.len;
    let none = how.none(f, init);
    // What is read of parts that no block has is written, too.
    let part = block.id.x + thread.rank * grid.dim.x;
    if (thread.rank > 0 && part < __PARTS_READ) parts[part] = none;
    var v = none;
    if (__adjoins<V>(it)) {
        v = __fold_rows<U, V>(how, it, n, f, none);
    } else {
        v = __fold_apart(how, it, n, f, none);
    }
    v = __fold_block(how, v, none, f);
    if (thread.rank == 0) parts[block.id.x] = v;
    if (__step_rank() == 0) count[0] = grid.dim.x;
}

// The values of the blocks.
fn __reduce_values<H: type, F: fn, T: type>(parts: in T[], count: in u32[], how: H, f: F, init: T, total: out T[]) {
    const READ: u32 = __PARTS_READ / block.size;
    let n = count[0];
    let none = how.none(f, init);
    var a: T[READ];
    unroll for (k in 0..READ) a[k] = parts[thread.rank + k * block.size];
    var v = none;
    unroll for (k in 0..READ) {
        if (thread.rank + k * block.size < n) v = f(v, a[k]);
    }
    unroll(1) for (i in (thread.rank + __PARTS_READ..n).step(block.size)) v = f(v, parts[i]);
    comptime if (block.size == 32) v = how.fold_lanes(v, f);
    else v = __fold_block(how, v, none, f);
    if (thread.rank == 0) total[0] = f(init, v);
}

// ---- any other function: the values of neighbours are combined, in order ----

// Elements of 12 to 48 bytes in a span are read by pieces of 16 bytes, which adjacent lanes read from
// adjacent places, and which each lane gets from shared memory as its own adjacent elements. A lane has
// K elements, about 6 pieces; an odd number of pieces, or twice one, lies in different banks.
fn __piece_items<E: type>() -> u32 =
    sizeof<E> % 4 > 0 || alignof<E> < 4 ? 0
    : sizeof<E> == 12 ? 8 : sizeof<E> == 16 ? 7 : sizeof<E> == 20 || sizeof<E> == 24 || sizeof<E> == 28 || sizeof<E> == 36 ? 4
    : sizeof<E> == 32 ? 3 : sizeof<E> == 40 || sizeof<E> == 48 ? 2 : 0;
// 2 bytes of spans, 1 of other iterators: known from the type alone
fn __span_mark<T: type>(it: in T[]) -> u8[2] { var r: u8[2]; return r; }
fn __span_mark<T: type>(it: inout T[]) -> u8[2] { var r: u8[2]; return r; }
fn __span_mark<I: type>(it: I) -> u8[1] { var r: u8[1]; return r; }

// Pieces warp.lane, warp.lane + 32, ... from element `at` on, whose byte is a multiple of 16.
fn __load_pieces<const P: u32, I: type>(it: I, at: u64) -> u32x4[P] {
    let from = ptr<u32x4, global>(address(it[at]));
    var a: u32x4[P];
    unroll for (k in 0..P) a[k] = from[warp.lane + 32 * k];
    return a;
}
// By the warp's part of shared memory, from all lanes' pieces to the lane's own elements.
fn __put_pieces<const P: u32>(a: u32x4[P], part: ptr<u32x4, shared>) {
    let to = part + warp.lane;
    unroll for (k in 0..P) to[32 * k] = a[k];
    warp.sync();
}
fn __own_elements<const K: u32, const P: u32, E: type>(part: ptr<u32x4, shared>, like: E) -> E[K] {
    let from = part + P * warp.lane;
    var own: u32x4[P];
    unroll for (k in 0..P) own[k] = from[k];
    warp.sync();
    return bit_cast<E[K]>(own);
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

fn __reduce_small_ordered<I: type, F: fn, T: type>(it: I, f: F, init: T, words: inout u64[], total: out T[]) {
    const EACH = 8u32;
    const TILE = EACH * block.size;
    let n = u32(it.len);
    let blocks = max(ceil_div(n, TILE), 1);
    let rank = block.id.x;
    if (rank >= blocks) return;
    let tag = warp.rank == 0 ? __epoch_tag() : 0;
    let lo = rank * TILE;
    let count = __assume_block(min(n - lo, TILE));
    let at = lo + EACH * thread.rank;
    var v: T;
    const E: u32 = sizeof<element_of<I>>;
    const BY_PIECES = E >= 12 && E <= 20 && __piece_items<element_of<I>>() > 0 && sizeof(__span_mark(it)) == 2;
    var is_done = false;
    comptime if (BY_PIECES) {
        const P: u32 = E / 2;
        shared room: u32x4[P * block.size];
        if (count == TILE && u64(address(it[0u64])) % 16 == 0) {
            let part = ptr<u32x4, shared>(address(room[warp.rank * 32 * P]));
            __put_pieces(__load_pieces<P>(it, u64(lo + 8 * 32 * warp.rank)), part);
            let a = __own_elements<8, P>(part, __zero(it[0u64]));
            v = a[0];
            unroll for (k in 1..8) v = f(v, __as<T>(a[k]));
            is_done = true;
        }
    }
    if (is_done) {
        // v is there
    } else if (at + EACH <= n) {
        let a = __adjacent_eight(it, u64(at));
        v = a[0];
        unroll for (k in 1..8) v = f(v, __as<T>(a[k]));
    } else if (at < n) {
        v = it[at];
        unroll(1) for (i in at + 1..n) v = f(v, __as<T>(it[i]));
    }
    if (count > 0) v = block.reduce_to(0, v, f, valid = (count + EACH - 1) / EACH);
    if (warp.rank > 0) return;
    if (rank + 1 < blocks) {
        if (thread.rank == 0) __put_state(words, u64(rank), v, tag | __PARTIAL);
        return;
    }
    if (blocks > 1) {
        v = warp.shuffle(v, 0);
        if (warp.lane + 1 < blocks) v = __await_state<T>(words, u64(warp.lane), tag);
        v = __fold_warp<false>(v, f, blocks);
    }
    if (thread.rank == 0) {
        var all = init;
        if (n > 0) all = f(init, v);
        total[0] = all;
        __end_epoch(tag);
    }
}

// The elements that a warp takes at most, in whole tiles.
fn __reduce_run_length<const TILE: u32>(n: u64) -> u64 = max(ceil_div(ceil_div(n, __step_size() / 32), u64(TILE)), 1) * u64(TILE);

// f of it[lo] to it[hi - 1] in lane 0, for lo < hi and elements of more than 8 bytes. Lanes read elements
// that are a warp apart, one tile ahead, and fold adjacent ones, by `room` in shared memory. K is odd,
// so that the words of a struct of 12 bytes lie in different banks.
fn __fold_staged<const K: u32, T: type, I: type, F: fn, E: type>(it: I, lo: u64, hi: u64, f: F, like: T, room: inout E[]) -> T {
    const TILE: u32 = 32 * K;
    let base = warp.rank * TILE;
    var a: E[K];
    var r: T;
    var at = lo;
    if (at + u64(TILE) <= hi) {
        unroll for (k in 0..K) a[k] = it[at + u64(warp.lane + 32 * k)];
    }
    while (at + u64(TILE) <= hi) {
        unroll for (k in 0..K) room[base + warp.lane + 32 * k] = a[k];
        warp.sync();
        let next = at + u64(TILE);
        if (next + u64(TILE) <= hi) {
            unroll for (k in 0..K) a[k] = it[next + u64(warp.lane + 32 * k)];
        }
        var v: T;
        v = room[base + K * warp.lane];
        unroll for (k in 1..K) v = f(v, __as<T>(room[base + K * warp.lane + k]));
        warp.sync();
        v = __fold_warp<false>(v, f, 32);
        if (warp.lane == 0) r = at == lo ? v : f(r, v);
        at = next;
    }
    if (at < hi) {
        let rest = __fold_ordered<T>(it, at, hi, f);
        if (warp.lane == 0) r = at == lo ? rest : f(r, rest);
    }
    return r;
}

// The same of a span, by pieces, if its first byte is a multiple of 16, as each tile's is then.
fn __fold_pieces<const K: u32, T: type, I: type, F: fn>(it: I, lo: u64, hi: u64, f: F, like: T, room: inout u32x4[]) -> T {
    const TILE: u32 = 32 * K;
    const P: u32 = K * u32(sizeof<element_of<I>>) / 16;
    let part = ptr<u32x4, shared>(address(room[warp.rank * 32 * P]));
    let whole = u64(address(it[0u64])) % 16 == 0 ? lo + (hi - lo) / u64(TILE) * u64(TILE) : lo;
    var a: u32x4[P];
    var r: T;
    var at = lo;
    if (at < whole) a = __load_pieces<P>(it, at);
    while (at < whole) {
        __put_pieces(a, part);
        let own = __own_elements<K, P>(part, __zero(it[0u64]));
        var v: T;
        v = own[0];
        unroll for (k in 1..K) v = f(v, __as<T>(own[k]));
        let next = at + u64(TILE);
        if (next < whole) a = __load_pieces<P>(it, next);
        v = __fold_warp<false>(v, f, 32);
        if (warp.lane == 0) r = at == lo ? v : f(r, v);
        at = next;
    }
    if (at < hi) {
        let rest = __fold_ordered<T>(it, at, hi, f);
        if (warp.lane == 0) r = at == lo ? rest : f(r, rest);
    }
    return r;
}

// Run `block.rank` of equal runs of adjacent elements, by warps. K: elements a lane in a staged tile, or 0.
fn __reduce_runs<const K: u32, const BY_PIECES: bool, I: type, F: fn, T: type>(it: I, f: F, like: T, parts: out T[], count: out u32[]) {
    const WARPS = block.size / 32;
    let n = it.len;
    const TILE: u32 = K == 0 ? 128 : 32 * K;
    let run = __reduce_run_length<TILE>(n);
    let first = u64(block.id.x) * WARPS;
    shared of_warps: T[WARPS];
    let lo = (first + u64(warp.rank)) * run;
    comptime if (K == 0) {
        if (lo < n) {
            let v = __fold_ordered<T>(it, lo, min(lo + run, n), f);
            if (warp.lane == 0) of_warps[warp.rank] = v;
        }
    } else comptime if (BY_PIECES) {
        shared room: u32x4[K * u32(sizeof<element_of<I>>) / 16 * block.size];
        if (lo < n) {
            let v = __fold_pieces<K>(it, lo, min(lo + run, n), f, like, room);
            if (warp.lane == 0) of_warps[warp.rank] = v;
        }
    } else {
        shared room: element_of<I>[K * block.size];
        if (lo < n) {
            let v = __fold_staged<K>(it, lo, min(lo + run, n), f, like, room);
            if (warp.lane == 0) of_warps[warp.rank] = v;
        }
    }
    block.sync();
    let warps = ceil_div(n, run);
    let filled = warps > first ? u32(min(warps - first, WARPS)) : 0;
    var v: T;
    if (filled > 0) v = __fold_warp<false>(of_warps[min(warp.lane, filled - 1)], f, filled);
    if (thread.rank == 0) parts[u64(block.id.x)] = v;
    if (__step_rank() == 0) count[0] = u32(ceil_div(warps, u64(WARPS)));
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

// ---- the plan ----

// All by one thread of the host.
fn __reduce_serial<H: type, I: type, F: fn, T: type>(it: I, how: H, f: F, init: T, total: out T[]) {
    let n = it.len;
    var all = init;
    if (n > 0) {
        var v = how.fold([it[0]], 0, f, init);
        for (i in 1..n) v = f(v, how.fold([it[i]], i, f, init));
        all = f(init, v);
    }
    total[0] = all;
}

algorithm device.__reduce<const COMMUTES: bool, H: type, I: type, F: fn, T: type>(it: I, how: H, f: F, init: T) -> T {
    scratch result total: T[1];
    let n = __most(it);
    const WORDS = 32 * u64((u32(sizeof<T>) + 3) / 4);
    comptime if (__is_serial()) {
        launch __reduce_serial(block = 1, grid = 1, it, how, f, init, total);
    } else if (n <= __SMALL_REDUCE) {
        scratch persistent words: u64[WORDS];
        comptime if (COMMUTES) launch __reduce_small(block = 256, grid = max(1, ceil_div(n, 2048)), it, how, f, init, words, total);
        else launch __reduce_small_ordered(block = 256, grid = max(1, ceil_div(n, 2048)), it, f, init, words, total);
    } else {
        scratch parts: T[__PARTS_MAX];
        scratch count: u32[1];
        comptime if (COMMUTES) {
            const V: u32 = __wide_count<element_of<I>>();
            const U: u32 = __reduce_rows_of<element_of<I>>();
            const BLOCK: u32 = __reduce_block_of<element_of<I>>();
            const ROW = u64(BLOCK * V);
            // Up to 128 blocks of one row each, then U rows a block
            let blocks = max(min(ceil_div(n, ROW), 128), n / (u64(U) * ROW));
            launch __reduce_rows<U, V>(block = BLOCK, grid = min(min(u64(resident), blocks), __PARTS_MAX), it, how, f, init, parts, count);
            // One warp needs no barrier, and has registers for 16 small values a thread.
            comptime if (sizeof<T> <= 8) launch __reduce_values(block = 32, grid = 1, parts, count, how, f, init, total);
            else launch __reduce_values(block = 512, grid = 1, parts, count, how, f, init, total);
        } else {
            const E: u32 = sizeof<element_of<I>>;
            const K: u32 = E > 8 && E <= 20 ? 60 / E - (60 / E + 1) % 2 : 0;
            const PIECES: u32 = sizeof(__span_mark(it)) == 2 ? __piece_items<element_of<I>>() : 0;
            comptime if (PIECES > 0) launch __reduce_runs<PIECES, true>(block = 512, grid = min(min(u64(resident), ceil_div(n, 2048)), __PARTS_MAX), blocks_per_sm = 2, it, f, init, parts, count);
            else comptime if (K > 0) launch __reduce_runs<K, false>(block = 512, grid = min(min(u64(resident), ceil_div(n, 2048)), __PARTS_MAX), blocks_per_sm = 2, it, f, init, parts, count);
            else launch __reduce_runs<0, false>(block = 512, grid = min(min(u64(resident), ceil_div(n, 2048)), __PARTS_MAX), it, f, init, parts, count);
            launch __reduce_parts(block = 256, grid = 1, parts, count, f, init, total);
        }
    }
    return total[0];
}

algorithm device.reduce<const determinism: u32 = run_to_run, I: type, F: fn, T: type = element_of<I>>(it: I, f: F, init: T) -> T {
    const COMMUTES = __operator(init, f) < 6;
    static_assert(determinism == run_to_run || determinism == gpu_to_gpu || determinism == not_guaranteed, "determinism is run_to_run, gpu_to_gpu or not_guaranteed");
    comptime if (determinism == gpu_to_gpu) return device.__reduce_fixed(it, f, init);
    else return device.__reduce<COMMUTES>(it, __Plain(), f, init);
}
