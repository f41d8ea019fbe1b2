// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/merge_stream.ck - a round of merges of sorted runs that goes through more data than the L2 cache
// holds: memory is read and written by bulk copies while threads merge.
//
// A block takes adjacent tiles of the result. One warp, the loader, searches where a tile ends in both
// runs, and copies its part of A and its part of B to shared memory, some tiles ahead. The other warps
// merge: a thread searches for its elements within the tile, and merges them to a second place, from
// which the tile is copied to memory.
//
//     loader    search and load tile k + 2 | k + 3     | k + 4     |
//     workers   merge tile k               | tile k + 1| tile k + 2|
//     memory    write tile k - 1           | tile k    | tile k + 1|
//
// The ends of eight tiles in A are searched at once, each by four lanes, so that a tile costs less than one
// read's latency. They are at most eight tiles behind the begin of the first one; only a block's first
// search goes through a whole run.
//
// A bulk copy takes whole pieces of 16 bytes, and parts of runs begin anywhere. So each part is copied
// from the piece that holds its first byte to the piece that holds its last byte. Pieces that are not
// all within the array are copied by the loader's lanes, word by word:
//
//     memory    | . . a a | a a a a | a a . . |       off = 8 bytes
//     stage     | . . a a | a a a a | a a . . | . b b b | b b b b | ...
//                     ^ info.a                    ^ info.b

const __STREAM_STAGES: u32 = 2;
const __STREAM_LANES: u32 = 4; // that search the end of one tile

// What the workers know of a tile.
struct __StreamTile { first: u64; count: u32; a_len: u32; a: u32; b: u32; }

// Elements that one thread merges, an odd number, so that threads write to different banks.
fn __stream_items<T: type>() -> u32 = sizeof<T> <= 4 ? 33 : sizeof<T> <= 8 ? 17 : sizeof<T> <= 12 ? 11 : sizeof<T> <= 16 ? 9 : sizeof<T> <= 32 ? 5 : 3;
// The tiles that are sorted before. A round costs more than the larger tile, which takes all shared
// memory of a multiprocessor: elements of a thread, threads.
fn __large_items<T: type>() -> u32 = sizeof<T> <= 4 ? 33 : sizeof<T> <= 8 ? 25 : sizeof<T> <= 12 ? 17 : sizeof<T> <= 16 ? 13 : __merge_items<T>();
fn __large_threads<T: type>() -> u32 = sizeof<T> <= 16 ? 512 : __sort_threads<T>();
fn __has_stream<T: type>() -> bool = __is_large_chip() && sizeof<T> % 4 == 0 && alignof<T> >= 4 && sizeof<T> <= 48;

// Copies bytes p to q - 1 to the stage, which has the piece of 16 bytes that p is in at its begin. `low` to
// `high` are the pieces within the array. Returns where the bulk copy begins and ends. By a warp.
fn __stream_patch(stage: ptr<u32, shared>, p: u64, q: u64, low: u64, high: u64) -> (u64, u64) {
    var from = max(p & ~15u64, low);
    var to = min(q + 15 & ~15u64, high);
    if (from >= to) (from, to) = (q, q);
    let begin = p & ~15u64;
    unroll(1) for (at in (p + u64(4 * warp.lane)..min(from, q)).step(128)) stage[(at - begin) / 4] = ptr<u32, global>(at)[0];
    unroll(1) for (at in (max(to, p) + u64(4 * warp.lane)..q).step(128)) stage[(at - begin) / 4] = ptr<u32, global>(at)[0];
    return (from, to);
}
fn __stream_copy(stage: ptr<u32, shared>, p: u64, from: u64, to: u64, bar: ptr<barrier, shared>) {
    if (from < to) bulk.load(ptr<u32x4, shared>(stage + (from - (p & ~15u64)) / 4), ptr<u32x4, global>(from), u32((to - from) / 16), bar[0]);
}

// The same as __split_by_warp, for A from x[a] on and B from x[b] on, by each LANES adjacent lanes of a warp.
fn __split_by_lanes<const LANES: u32, T: type, F: fn>(x: ptr<T, global>, a: u64, b: u64, d: u64, low: u64, high: u64, less: F) -> u64 {
    var (lo, hi) = (low, high);
    let lane = warp.lane % LANES;
    while (warp.any(lo < hi)) {
        let step = (hi - lo + u64(LANES - 1)) / u64(LANES);
        let m = lo + u64(lane + 1) * step - 1;
        var is_before = false;
        if (lo < hi && m < hi) is_before = !__is_less(less(x[b + (d - 1 - m)], x[a + m]));
        lo += u64(popcount(warp.ballot(is_before) >> (warp.lane - lane) & ~0u32 >> (32 - LANES))) * step;
        hi = max(lo, min(hi, lo + step - 1));
    }
    return lo;
}

// One step of a thread's merge: its place in A and in B, and the elements there. Without ends neither of
// the two can run out. Unlike in device/merge_tiles.ck places are addresses, since A and B need not be a
// whole number of elements apart in a stage.
struct __StreamStep<T: type> { i: ptr<T, shared>; j: ptr<T, shared>; left: T; right: T; }
fn __stream_step<const HAS_ENDS: bool, T: type, F: fn>(now: __StreamStep<T>, to: ptr<T, shared>, a_end: ptr<T, shared>, b_end: ptr<T, shared>, less: F) -> __StreamStep<T> {
    var is_right = false;
    comptime if (HAS_ENDS) is_right = now.j != b_end && (now.i == a_end || __is_less(less(now.right, now.left)));
    else is_right = __is_less(less(now.right, now.left));
    to[0] = is_right ? now.right : now.left;
    let next = (is_right ? now.j : now.i) + 1;
    var v = now.left;
    comptime if (HAS_ENDS) {
        if (!__is_checked() || next != (is_right ? b_end : a_end)) v = next[0];
    } else {
        v = next[0];
    }
    return __StreamStep(is_right ? now.i : next, is_right ? next : now.j, is_right ? now.left : v, is_right ? v : now.right);
}

// Merges `count` elements of what is left of A and B, which begin at a and b. The element behind each is
// read as well; a stage has room for one more.
fn __stream_serially<T: type, F: fn>(a: ptr<T, shared>, a_len: u32, b: ptr<T, shared>, b_len: u32, to: ptr<T, shared>, count: u32, less: F) {
    let (a_end, b_end) = (a + a_len, b + b_len);
    var now: __StreamStep<T>;
    now.i = a;
    now.j = b;
    if (a_len > 0 || !__is_checked()) now.left = a[0];
    if (b_len > 0 || !__is_checked()) now.right = b[0];
    var k = 0u32;
    if (a_len > count && b_len > count) {
        while (k + 4 <= count) {
            unroll for (u in 0u32..4) now = __stream_step<false>(now, to + (k + u), a_end, b_end, less);
            k += 4;
        }
    }
    while (k < count) {
        now = __stream_step<true>(now, to + k, a_end, b_end, less);
        k += 1;
    }
}

// Elements d to d + count - 1 of the merge of A and B, whose places are a and b.
fn __stream_merge<T: type, F: fn>(a: ptr<T, shared>, a_len: u32, b: ptr<T, shared>, b_len: u32, to: ptr<T, shared>, d: u32, count: u32, less: F) {
    var lo = d > b_len ? d - b_len : 0;
    var hi = min(d, a_len);
    let last = b + d - 1;
    while (lo < hi) {
        let m = (lo + hi) / 2;
        if (__is_less(less((last - m)[0], a[m]))) hi = m;
        else lo = m + 1;
    }
    __stream_serially(a + lo, a_len - lo, b + (d - lo), b_len - (d - lo), to + d, count, less);
}

// Pairs of runs of one array become runs of the other one; the last round writes to x.
fn __merge_stream<const N: u32, const WORKERS: u32, const RUN: u32, T: type, F: fn>(x: inout T[], y: inout T[], n: u64, most: u64, round: u32, less: F) {
    const S: u32 = __STREAM_STAGES;
    const LANES: u32 = __STREAM_LANES;
    const BYTES: u32 = sizeof<T>;
    const THREADS: u32 = WORKERS * 32;
    const ROWS: u32 = (THREADS * N * BYTES + 15) / 16;
    const STAGE: u32 = ROWS + 2 + (BYTES + 15) / 16; // the rest of a piece before each part, an element behind
    shared stages: u32x4[S * STAGE];
    shared merged: u32x4[2 * ROWS];
    shared tiles_of_stages: __StreamTile[S];
    shared full: barrier[S];
    shared empty: barrier[S];
    if (thread.rank == 0) {
        for (s in 0..S) {
            mbarrier.init(full[s], 32); // all lanes of the loader
            mbarrier.init(empty[s], WORKERS);
        }
    }
    block.sync();
    let left = __rounds_of<RUN>(most) - 1 - round;
    let run = u64(RUN) << u64(round);
    let (at_x, at_y) = (__memory_of(x), __memory_of(y));
    let source = left % 2 == 1 ? at_x : at_y;
    let target = left % 2 == 1 ? at_y : at_x;
    // All tiles of a pair have the same length but for the last one.
    let pair = 2 * run;
    let items = u32(ceil_div(pair, ceil_div(pair, u64(THREADS * N)) * u64(THREADS))) | 1;
    let tile = THREADS * items;
    let of_pair = u32(ceil_div(pair, u64(tile)));
    let tiles = u32(n / pair) * of_pair + u32(ceil_div(n % pair, u64(tile)));
    let each = ceil_div(tiles, grid.dim.x);
    let first = min(block.id.x * each, tiles);
    let last = min(first + each, tiles);
    split {
        worker(warps = WORKERS) {
            unroll(1) for (t in first..last) {
                let s = (t - first) % S;
                mbarrier.wait(full[s], (t - first) / S % 2);
                let info = tiles_of_stages[s];
                let stage = ptr<u8, shared>(address(stages[s * STAGE]));
                let out_ = ptr<T, shared>(address(merged[(t - first) % 2 * ROWS]));
                let own = thread.rank * items;
                if (own < info.count)
                    __stream_merge(ptr<T, shared>(stage + info.a), info.a_len, ptr<T, shared>(stage + info.b), info.count - info.a_len, out_, own, min(items, info.count - own), less);
                warp.sync();
                if (warp.lane == 0) mbarrier.arrive(empty[s]);
                if (thread.rank == 0) bulk.wait_read(); // the tile before: its place is free behind the barrier
                bulk.fence();
                worker.sync();
                let to = target + info.first;
                let bytes = info.count * BYTES;
                if (u64(to) % 16 == 0) {
                    if (thread.rank == 0) {
                        bulk.store(ptr<u32x4, global>(to), ptr<u32x4, shared>(out_), bytes / 16);
                        bulk.commit();
                    }
                    let words = bytes / 16 * 4 + thread.rank;
                    if (words < bytes / 4) ptr<u32, global>(to)[words] = ptr<u32, shared>(out_)[words];
                } else {
                    unroll(1) for (i in (thread.rank..bytes / 4).step(THREADS)) ptr<u32, global>(to)[i] = ptr<u32, shared>(out_)[i];
                }
            }
            if (thread.rank == 0) bulk.wait();
        }
        loader(warps = 1) {
            let low = u64(source) + 15 & ~15u64;
            let high = u64(source + n) & ~15u64;
            var begin = 0u64; // elements of A before the tile
            var ends = 0u64; // before the end of a tile, in each of its lanes
            unroll(1) for (t in first..last) {
                let (k, s) = (t - first, (t - first) % S);
                let (p, q) = (t / of_pair, t % of_pair);
                let base = u64(p) * pair;
                let middle = min(base + run, n);
                let (a_all, b_all) = (middle - base, min(base + pair, n) - middle);
                let d = u64(q) * u64(tile);
                let count = u32(min(u64(tile), a_all + b_all - d));
                if (q == 0) begin = 0;
                else if (k == 0) begin = __split_by_warp(source, source, base, middle, d, d - min(d, b_all), min(d, a_all), less);
                let place = k % (32 / LANES) * LANES;
                if (place == 0) {
                    let other = min(t + warp.lane / LANES, last - 1);
                    let from = u64(other / of_pair) * pair;
                    let to = min(from + run, n);
                    let (a_most, b_most) = (to - from, min(from + pair, n) - to);
                    let stop = min(u64(other % of_pair + 1) * u64(tile), a_most + b_most);
                    var (lo, hi) = (stop - min(stop, b_most), min(stop, a_most));
                    if (from == base) (lo, hi) = (max(lo, begin), min(hi, begin + (stop - d)));
                    ends = __split_by_lanes<LANES>(source, from, to, stop, lo, hi, less);
                }
                let end = warp.shuffle(ends, place);
                let a_len = u32(end - begin);
                if (k >= S) mbarrier.wait(empty[s], (k / S + 1) % 2);
                let stage = ptr<u32, shared>(address(stages[s * STAGE]));
                let from_a = u64(source + base + begin);
                let to_a = from_a + u64(a_len * BYTES);
                let from_b = u64(source + middle + (d - begin));
                let to_b = from_b + u64((count - a_len) * BYTES);
                let b_stage = u32((to_a + 15 & ~15u64) - (from_a & ~15u64));
                let (a_low, a_high) = __stream_patch(stage, from_a, to_a, low, high);
                let (b_low, b_high) = __stream_patch(stage + b_stage / 4, from_b, to_b, low, high);
                if (warp.lane > 0) {
                    mbarrier.arrive(full[s]);
                } else {
                    tiles_of_stages[s] = __StreamTile(base + d, count, a_len, u32(from_a & 15), b_stage + u32(from_b & 15));
                    mbarrier.arrive(full[s], bytes = u32(a_high - a_low + (b_high - b_low)));
                    __stream_copy(stage, from_a, a_low, a_high, address(full[s]));
                    __stream_copy(stage + b_stage / 4, from_b, b_low, b_high, address(full[s]));
                }
                begin = end;
            }
        }
    }
}
