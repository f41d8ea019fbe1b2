// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/scan.ck - the running values of a sequence, by launches of kernels.
//
// inclusive_scan(it, to, f), inclusive_scan(it, to, f, init), exclusive_scan(it, to, f, init), in an
// algorithm
//
//   it, to        iterators; `it` is finite, `to` is writable and has room for as many. Elements are
//                 converted to init's type, or that of the elements where there is no init
//   overlap       it and to: allowed if they are the same elements in the same order, or slices of a span
//                 without a common element; else rejected, at the launch if numbers decide it
//                 it and f: allowed
//                 f and to: rejected
//   f             associative, for floats as far as rounding goes; it need not be commutative
//   result        inclusive: to[i] is f of init and it[0] to it[i]; exclusive: of init and it[0] to
//                 it[i - 1], so to[0] is init
//   launches      1
//   scratch       a word of persistent memory for each 4 bytes of a value and tile
//   steps         a block scans a tile and publishes its value; then it looks back over the values of
//                 the tiles before it, 32 at a time, until one has published the value of all before it
//                 as well (decoupled look-back: Merrill and Garland, "Single-pass Parallel Prefix Scan
//                 with Decoupled Look-back", 2016). Elements of more than 8 bytes go through shared
//                 memory, so that a thread has adjacent ones. Spans of more than 2^22 elements of up to
//                 16 bytes have device/scan_central.ck (sums of numbers) and device/scan_ahead.ck
//   target        any
//   CUB           DeviceScan::InclusiveSum(x, y, n)             inclusive_scan(x, y, +)
//                 DeviceScan::InclusiveScan(x, y, f, n)         inclusive_scan(x, y, f)
//                 DeviceScan::InclusiveScanInit(x, y, f, i, n)  inclusive_scan(x, y, f, i)
//                 DeviceScan::ExclusiveSum(x, y, n)             exclusive_scan(x, y, +, 0)
//                 DeviceScan::ExclusiveScan(x, y, f, i, n)      exclusive_scan(x, y, f, i)
//   Thrust        transform_inclusive_scan(x, y, t, f)          inclusive_scan(x.map(t), y, f)
//   cuda.compute  inclusive_scan, exclusive_scan                inclusive_scan(x, y, f, i), exclusive_scan(x, y, f, i)
//
//   algorithm running(n: u64, x: in f32[n], y: out f32[n]) { inclusive_scan(x, y, +); }
//   CALL: running(x=[1, 2, 3], y=zeros:3)
//   EXPECT: y = [1, 3, 6]
//
// A warp reads rows of 32 vectors of 16 bytes:
//
//     lane      0       1      ...   31
//     row 0   a b c d | e f g h | ... |      vectors are scanned by their lanes, the vectors' totals of
//     row 1   ....                           a row by five shuffles, rows follow each other by their
//     row 2   ....                           totals, and so do the warps' totals in shared memory

// The value of all tiles before `tile`, which is not the first one; by one warp, whose lanes all get it.
fn __look_back<T: type, F: fn>(words: inout u64[], tile: u64, tag: u32, f: F, like: T) -> T {
    var acc: T;
    var at = tile; // values of the tiles from here on are in acc
    while (at > 0) {
        var v: T;
        var kind = 0u32;
        if (u64(warp.lane) < at) {
            let (got, what) = __get_state<T>(words, at - 1 - u64(warp.lane), tag);
            v = got;
            kind = what;
        }
        let ready = warp.ballot(kind != 0);
        let whole = warp.ballot(kind == __PREFIX);
        let run = ctz(~ready); // values without a gap
        let stop = ctz(whole);
        let count = min(run, stop + 1);
        if (count > 0) {
            unroll for (k in 0..5) {
                let older = warp.shuffle_down(v, 1u32 << k);
                if (warp.lane + (1u32 << k) < count) v = f(older, v);
            }
            let window = warp.shuffle(v, 0);
            acc = at < tile ? f(window, acc) : window;
            at = stop < run ? 0 : at - u64(count);
        } else {
            thread.yield();
        }
    }
    return acc;
}

// The value of elements since the last begin of a segment among them; has: there is one.
struct __Headed<T: type> { has: u32; v: T; }

// What the block's warps have before them: the tiles before this one, and the warps before them. Gives
// it in `before`, for the warps with `full` of them having all their elements.
fn __scan_warps<const WARPS: u32, const HAS_INIT: bool, T: type, F: fn>(sums: in T[], before: out T[], words: inout u64[], tile: u64, is_last: bool, full: u32, f: F, init: T) {
    let tag = __epoch_tag();
    let lane = warp.lane;
    var all = sums[min(lane, WARPS - 1)];
    unroll for (k in 0..32 - clz(WARPS - 1)) {
        let left = warp.shuffle_up(all, 1u32 << k);
        if (lane >= (1u32 << k) && lane < full) all = f(left, all);
    }
    let total = warp.shuffle(all, WARPS - 1);
    let left = warp.shuffle_up(all, 1);
    var own = left;
    var has = lane > 0;
    // A tile says what is before the next one when all tiles before it have spoken, even if a segment
    // begins in it: so the last tile knows that all blocks have read the epoch.
    if (!is_last && lane == 0) __put_state(words, tile, total, tag | (tile == 0 ? __PREFIX : __PARTIAL));
    if (tile > 0) {
        let ahead = __look_back(words, tile, tag, f, total);
        if (!is_last && lane == 0) __put_state(words, tile, f(ahead, total), tag | __PREFIX);
        if (lane == 0) own = ahead;
        else if (lane <= full) own = f(ahead, left);
        has = true;
    }
    comptime if (HAS_INIT) {
        if (!has) own = init;
        else if (lane <= full) own = f(init, own);
    }
    if (lane < WARPS) before[lane] = own;
    if (is_last && lane == 0) __end_epoch(tag);
}

// FULL: all elements of the tile are there, and `it` and `to` are aligned for vectors.
fn __scan_one_tile<const R: u32, const V: u32, const FULL: bool, const EXCLUSIVE: bool, const HAS_INIT: bool, I: type, O: type, F: fn, T: type>(it: I, to: O, f: F, init: T, words: inout u64[], n: u64, sums: inout T[], before: inout T[]) {
    const WARPS = block.size / 32;
    const ROW = u64(32 * V);
    let tile = u64(block.id.x);
    let first = tile * u64(R) * ROW * u64(WARPS) + u64(warp.rank) * u64(R) * ROW;
    let mine = first + u64(warp.lane * V);
    var v: T[R * V];
    var rows: T[R]; // the vectors' totals, then those of all vectors up to here in the row
    comptime if (FULL) {
        unroll for (r in 0..R) {
            let a = __adjacent<V, true>(it, mine + u64(r) * ROW);
            unroll for (j in 0..V) v[r * V + j] = a[j];
        }
    } else {
        unroll for (k in 0..R * V) {
            let i = mine + u64(k / V) * ROW + u64(k % V);
            if (i < n) v[k] = it[i];
        }
    }
    unroll for (k in 0..R * V) {
        if (k % V > 0 && (FULL || mine + u64(k / V) * ROW + u64(k % V) < n)) v[k] = f(v[max(k, 1) - 1], v[k]);
        rows[k / V] = v[k];
    }
    unroll for (k in 0..5) {
        unroll for (r in 0..R) {
            let left = warp.shuffle_up(rows[r], 1u32 << k);
            // only vectors that have all their elements get something from the left
            if (warp.lane >= (1u32 << k) && (FULL || mine + u64(r) * ROW + u64(V - 1) < n)) rows[r] = f(left, rows[r]);
        }
    }
    var total: T;
    unroll for (r in 0..R) {
        let all = warp.shuffle(rows[r], 31);
        let left = warp.shuffle_up(rows[r], 1);
        if (r == 0) {
            rows[r] = left; // lane 0 has none
            total = all;
        } else {
            let is_there = FULL || mine + u64(r) * ROW < n;
            if (is_there) rows[r] = warp.lane == 0 ? total : f(total, left);
            if (FULL || first + u64(r + 1) * ROW <= n) total = f(total, all);
        }
    }
    if (warp.lane == 0) sums[warp.rank] = total;
    block.sync();
    let is_last = (tile + 1) * u64(R) * ROW * u64(WARPS) >= n;
    if (warp.rank == 0) {
        let start = tile * u64(R) * ROW * u64(WARPS);
        let full = FULL ? WARPS : u32(min((n - start) / (u64(R) * ROW), u64(WARPS)));
        __scan_warps<WARPS, HAS_INIT>(sums, before, words, tile, is_last, full, f, init);
    }
    block.sync();
    let ahead = before[warp.rank];
    let has_ahead = HAS_INIT || tile > 0 || warp.rank > 0;
    unroll for (r in 0..R) {
        let has_row = r > 0 || warp.lane > 0;
        if (FULL || mine + u64(r) * ROW < n) {
            var own = ahead; // all before this vector
            if (has_row) own = has_ahead ? f(ahead, rows[r]) : rows[r];
            let has_own = has_row || has_ahead;
            var out: T[V];
            unroll for (j in 0..V) {
                let i = mine + u64(r) * ROW + u64(j);
                if (FULL || i < n) {
                    var one = own;
                    comptime if (EXCLUSIVE) {
                        if (j > 0) one = f(own, v[r * V + max(j, 1) - 1]);
                    } else {
                        one = has_own ? f(own, v[r * V + j]) : v[r * V + j];
                    }
                    comptime if (FULL) out[j] = one;
                    else to[i] = one;
                }
            }
            comptime if (FULL) __put_adjacent<V, true>(to, mine + u64(r) * ROW, out);
        }
    }
}

fn __scan_one<const R: u32, const EXCLUSIVE: bool, const HAS_INIT: bool, I: type, O: type, F: fn, T: type>(it: I, to: O, f: F, init: T, words: inout u64[]) {
    const V: u32 = __wide_count<T>();
    shared sums: T[block.size / 32];
    shared before: T[block.size / 32];
    let n = it.len;
    let end = u64(block.id.x + 1) * u64(R * V * block.size);
    if (end >= n + u64(R * V * block.size)) return; // there may be fewer elements than the host knew
    comptime if (!__is_quick()) {
        if (end <= n && __adjoins<V>(it) && __adjoins<V>(to)) {
            // LLVM would take loads out of both branches, and lose that they are parts of vectors.
            warp.sync();
            __scan_one_tile<R, V, true, EXCLUSIVE, HAS_INIT>(it, to, f, init, words, n, sums, before);
            return;
        }
    }
    __scan_one_tile<R, V, false, EXCLUSIVE, HAS_INIT>(it, to, f, init, words, n, sums, before);
}

// Elements of more than 8 bytes, of which a thread has K adjacent ones. Threads read and write elements
// that are a block apart, so that accesses are coalesced; in between a tile lies in shared memory:
//
//     read    thread t: elements t, t + 256, t + 512, ...       scan    thread t: elements 7 t to 7 t + 6
//
// Then a thread has one value in the shuffles for K elements. K is odd, so that the words of a struct
// of 12 bytes lie in different banks.
fn __scan_staged_tile<const K: u32, const FULL: bool, const EXCLUSIVE: bool, const HAS_INIT: bool, I: type, O: type, F: fn, T: type>(it: I, to: O, f: F, init: T, words: inout u64[], n: u64, items: inout T[], sums: inout T[], before: inout T[]) {
    const WARPS = block.size / 32;
    const TILE = K * block.size;
    let (tile, lane) = (u64(block.id.x), warp.lane);
    let start = tile * u64(TILE);
    let count = FULL ? TILE : __assume_block(u32(min(n - start, u64(TILE))));
    var v: T[K];
    unroll for (k in 0..K) {
        let i = thread.rank + k * block.size;
        if (FULL || i < count) v[k] = it[start + u64(i)];
    }
    unroll for (k in 0..K) {
        let i = thread.rank + k * block.size;
        if (FULL || i < count) items[i] = v[k];
    }
    block.sync();
    let first = thread.rank * K;
    let mine = FULL ? K : first < count ? min(count - first, K) : 0;
    unroll for (k in 0..K) {
        if (FULL || k < mine) v[k] = items[first + k];
    }
    unroll for (k in 1..K) {
        if (FULL || k < mine) v[k] = f(v[k - 1], v[k]);
    }
    let threads = count / K; // those that have all their elements
    let full = FULL ? 32 : min(max(threads, warp.rank * 32) - warp.rank * 32, 32);
    var total = v[K - 1];
    unroll for (k in 0..5) {
        let left = warp.shuffle_up(total, 1u32 << k);
        if (lane >= (1u32 << k) && (FULL || lane < full)) total = f(left, total);
    }
    let left = warp.shuffle_up(total, 1);
    if (lane == 31) sums[warp.rank] = total;
    block.sync();
    if (warp.rank == 0) __scan_warps<WARPS, HAS_INIT>(sums, before, words, tile, start + u64(TILE) >= n, threads / 32, f, init);
    block.sync();
    if (FULL || mine > 0) {
        var own = before[warp.rank]; // all before this thread
        let has_ahead = HAS_INIT || tile > 0 || warp.rank > 0;
        if (lane > 0) own = has_ahead ? f(own, left) : left;
        var last = own;
        unroll for (k in 0..K) {
            if (FULL || k < mine) {
                let all = has_ahead || lane > 0 ? f(own, v[k]) : v[k];
                comptime if (EXCLUSIVE) items[first + k] = last;
                else items[first + k] = all;
                last = all;
            }
        }
    }
    block.sync();
    unroll for (k in 0..K) {
        let i = thread.rank + k * block.size;
        if (FULL || i < count) to[start + u64(i)] = items[i];
    }
}

fn __is_scan_staged<T: type>() -> bool = sizeof<T> > 8 && sizeof<T> <= 128;

fn __scan_staged<const K: u32, const EXCLUSIVE: bool, const HAS_INIT: bool, I: type, O: type, F: fn, T: type>(it: I, to: O, f: F, init: T, words: inout u64[]) {
    const TILE = K * block.size;
    shared items: T[TILE];
    shared sums: T[block.size / 32];
    shared before: T[block.size / 32];
    let n = it.len;
    let start = u64(block.id.x) * u64(TILE);
    if (start >= n) return;
    if (n - start >= u64(TILE)) __scan_staged_tile<K, true, EXCLUSIVE, HAS_INIT>(it, to, f, init, words, n, items, sums, before);
    else __scan_staged_tile<K, false, EXCLUSIVE, HAS_INIT>(it, to, f, init, words, n, items, sums, before);
}

fn __scan_serial<const EXCLUSIVE: bool, const HAS_INIT: bool, I: type, O: type, F: fn, T: type>(it: I, to: O, f: F, init: T) {
    let n = it.len;
    var acc = init;
    for (i in 0..n) {
        var v: T;
        v = it[i];
        comptime if (EXCLUSIVE) to[i] = acc;
        acc = HAS_INIT || i > 0 ? f(acc, v) : v;
        comptime if (!EXCLUSIVE) to[i] = acc;
    }
}

algorithm device.__scan_tiles<const EXCLUSIVE: bool, const HAS_INIT: bool, I: type, O: type, F: fn, T: type>(it: I, to: O, f: F, init: T) {
    const W = u64((u32(sizeof<T>) + 3) / 4);
    const V = u64(__wide_count<T>());
    const R: u32 = __scan_rows_of<T>();
    const BLOCK: u32 = __scan_block_of<T>();
    const TILE = u64(BLOCK) * V * u64(R);
    scratch persistent words: u64[W * ceil_div(__most(it), TILE)];
    launch __scan_one<R, EXCLUSIVE, HAS_INIT>(block = BLOCK, grid = ceil_div(__most(it), TILE), it, to, f, init, words);
}

algorithm device.__scan_staged_tiles<const BLOCK: u32, const EXCLUSIVE: bool, const HAS_INIT: bool, I: type, O: type, F: fn, T: type>(it: I, to: O, f: F, init: T) {
    const W = u64((u32(sizeof<T>) + 3) / 4);
    const K: u32 = __scan_staged_of<T>();
    const TILE = u64(BLOCK * K);
    scratch persistent words: u64[W * ceil_div(__most(it), TILE)];
    launch __scan_staged<K, EXCLUSIVE, HAS_INIT>(block = BLOCK, grid = ceil_div(__most(it), TILE), blocks_per_sm = sizeof<T> > 24 ? 1 : BLOCK == 128 ? 6 : 1024 / BLOCK, it, to, f, init, words);
}
algorithm device.__scan_tiles_of<const EXCLUSIVE: bool, const HAS_INIT: bool, I: type, O: type, F: fn, T: type>(it: I, to: O, f: F, init: T) {
    comptime if (__is_scan_staged<T>()) device.__scan_staged_tiles<__SCAN_BLOCK_16, EXCLUSIVE, HAS_INIT>(it, to, f, init);
    else device.__scan_tiles<EXCLUSIVE, HAS_INIT>(it, to, f, init);
}

// Large data. Spans have the form of scan_central.ck, if numbers are added up, else that of scan_ahead.ck.
const __LARGE_SCAN: u64 = 4194304;
algorithm device.__scan_large<const EXCLUSIVE: bool, const HAS_INIT: bool, F: fn, T: type>(it: in T[], to: out T[], f: F, init: T) {
    comptime if (__is_large_chip() && __operator(init, f) == 0 && (sizeof<T> == 4 || sizeof<T> == 8)) {
        const W = u64((u32(sizeof<T>) + 3) / 4);
        const TILE = 1536 * u64(__wide_count<T>()); // 24 KiB
        if (it.len > __LARGE_SCAN) {
            scratch persistent sums: u64[W * ceil_div(it.len, TILE)];
            scratch persistent before: u64[W * ceil_div(it.len, TILE)];
            launch __scan_central<12, 4, 9, 6, EXCLUSIVE>(block = 448, grid = min(resident, 160), it, to, init, sums, before);
        } else {
            device.__scan_tiles<EXCLUSIVE, HAS_INIT>(it, to, f, init);
        }
    } else comptime if (__has_ahead<T>()) {
        const W = u64(sizeof<T>) / 4;
        const TILE = u64(256 * __ahead_items<T>());
        if (it.len > __LARGE_SCAN) {
            scratch persistent sums: u64[W * ceil_div(it.len, TILE)];
            scratch persistent before: u64[W * ceil_div(it.len, TILE)];
            launch __scan_ahead<8, 9, 6, EXCLUSIVE, HAS_INIT>(block = __central_threads<2, 8>(), grid = min(resident, 160), it, to, init, f, sums, before);
        } else {
            device.__scan_tiles_of<EXCLUSIVE, HAS_INIT>(it, to, f, init);
        }
    } else {
        device.__scan_tiles_of<EXCLUSIVE, HAS_INIT>(it, to, f, init);
    }
}
algorithm device.__scan_large<const EXCLUSIVE: bool, const HAS_INIT: bool, I: type, O: type, F: fn, T: type>(it: I, to: O, f: F, init: T) {
    device.__scan_tiles_of<EXCLUSIVE, HAS_INIT>(it, to, f, init);
}

algorithm device.__scan<const EXCLUSIVE: bool, const HAS_INIT: bool, I: type, O: type, F: fn, T: type>(it: I, to: O, f: F, init: T) {
    __fits(__room(to), it.len, "'to'");
    __apart(f, to);
    let elements = take(it, __finite(__most(it)));
    comptime if (sizeof(__moves(it, to)) == 2) __apart(elements, to);
    else __in_step(it, to);
    device.__scan_apart<EXCLUSIVE, HAS_INIT>(it, to, f, init);
}
// Whoever calls it has looked at what it and to share.
algorithm device.__scan_apart<const EXCLUSIVE: bool, const HAS_INIT: bool, I: type, O: type, F: fn, T: type>(it: I, to: O, f: F, init: T) {
    let n = __most(it);
    const W = u64((u32(sizeof<T>) + 3) / 4);
    const V = u64(__wide_count<T>());
    const R: u32 = V > 1 ? 16 / u32(V) : 4; // rows: 16 items of up to 8 bytes, so that 2^16 are 32 tiles
    comptime if (__is_serial()) {
        launch __scan_serial<EXCLUSIVE, HAS_INIT>(block = 1, grid = 1, it, to, f, init);
    } else if (n <= 131072) {
        comptime if (__is_scan_staged<T>()) {
            device.__scan_staged_tiles<128, EXCLUSIVE, HAS_INIT>(it, to, f, init);
        } else {
            const TILE = 128 * V * u64(R);
            scratch persistent words: u64[W * ceil_div(n, TILE)];
            launch __scan_one<R, EXCLUSIVE, HAS_INIT>(block = 128, grid = ceil_div(n, TILE), it, to, f, init, words);
        }
    } else {
        device.__scan_large<EXCLUSIVE, HAS_INIT>(it, to, f, init);
    }
}

algorithm device.inclusive_scan<I: type, O: type, F: fn>(it: I, to: O, f: F) { device.__scan<false, false>(it, to, f, __zero(it[0u64])); }
algorithm device.inclusive_scan<I: type, O: type, F: fn, T: type = element_of<I>>(it: I, to: O, f: F, init: T) { device.__scan<false, true>(it, to, f, init); }
algorithm device.exclusive_scan<I: type, O: type, F: fn, T: type = element_of<I>>(it: I, to: O, f: F, init: T) { device.__scan<true, true>(it, to, f, init); }
