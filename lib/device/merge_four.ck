// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/merge_four.ck - a round of merges of four sorted runs each, for more data than the L2 cache holds:
// half as many rounds as of pairs, so that memory is read and written half as often.
//
// A block takes adjacent tiles of the result. A tile is what is between two places of the merged sequence,
// so it has a part of each run. The workers merge the parts in two steps within shared memory:
//
//     stage    part of run 0 | of run 1 | of run 2 | of run 3        read by bulk copies, two stages
//     middle        merged 0 and 1      |     merged 2 and 3
//     merged                      the tile                           written by a bulk copy, or by words
//                                                                    where it isn't aligned to 16 bytes
//
// A bulk copy takes whole pieces of 16 bytes, and parts of runs begin anywhere. So each part is copied
// from the piece that holds its first byte to the piece that holds its last byte. Pieces that are not
// all within the array are copied by the loader's lanes, word by word. A part that begins at byte 8 of a
// piece:
//
//     memory    | . . a a | a a a a | a a . . |
//     stage     | . . a a | a a a a | a a . . | . b b b | b b b b | ...
//                     ^ info.at[0]                ^ info.at[1]
//
// One warp, the searcher, finds where tiles end in the runs: 32 ends at once, one a lane. Another warp, the
// loader, starts the copies of a tile's parts. Nothing can be loaded before the first ends are known, so
// all warps of a block search for one each when the block begins:
//
//     all        an end each
//     searcher   the next 32 ends          | 32 more ...
//     loader     parts of tile k + 2       | k + 3
//     workers    merge tile k              | k + 1
//     memory     write tile k - 1          | k
//
// The search: of each run, between `low` and `high` elements are among the first d of all. Elements within
// these ranges are compared; one that comes so early that it must be among the first d raises `low`, one
// that can't be lowers `high` (Frederickson and Johnson, "The Complexity of Selection and Ranking in X + Y
// and Matrices with Sorted Columns", 1982).

const __FOUR_WORKERS: u32 = 8;
const __FOUR_STAGES: u32 = 2;
const __FOUR_AHEAD: u32 = 32; // ends that the searcher searches at once
const __FOUR_START: u32 = __FOUR_WORKERS + 2; // warps of a block, each of which searches one of the first ends

fn __has_four<T: type>() -> bool = __is_large_chip() && sizeof<T> % 4 == 0 && alignof<T> >= 4 && sizeof<T> <= 48;
// The tiles that are sorted before the first round. They are large, since that costs less than one more
// round. Elements of a thread, threads.
fn __large_items<T: type>() -> u32 = sizeof<T> <= 4 ? 33 : sizeof<T> <= 8 ? 25 : sizeof<T> <= 12 ? 17 : sizeof<T> <= 16 ? 13 : __merge_items<T>();
fn __large_threads<T: type>() -> u32 = sizeof<T> <= 8 ? 512 : sizeof<T> <= 16 ? 256 : __sort_threads<T>();
// Elements that one thread merges, an odd number, so that threads write to different banks.
fn __four_items<T: type>() -> u32 = sizeof<T> <= 4 ? 25 : sizeof<T> <= 8 ? 13 : sizeof<T> <= 12 ? 9 : sizeof<T> <= 16 ? 5 : 3;
// Rounds that merge tiles of `most` elements in all to one run.
fn __four_rounds_of<const TILE: u32>(most: u64) -> u32 = (__rounds_of<TILE>(most) + 1) / 2;

// A number for each of four runs.
struct __Four { of: u64[4]; }
fn __four_is_open(low: __Four, high: __Four) -> bool =
    low.of[0] < high.of[0] || low.of[1] < high.of[1] || low.of[2] < high.of[2] || low.of[3] < high.of[3];

// The first d elements of the merge of the runs x[base] and on, x[base + run] and on, ...: how many there
// are of each, from `low` to `high`. Of equal elements those of the first run come first. By a thread: in the
// middles of the ranges, the least element is number c at the latest, if c elements are up to the middles;
// and the greatest one is number c at the earliest.
fn __split_four<T: type, F: fn>(x: ptr<T, global>, base: u64, run: u64, d: u64, from: __Four, to: __Four, less: F) -> __Four {
    var (low, high) = (from, to);
    var v: T[4];
    unroll for (k in 0u32..4) {
        if (low.of[k] < high.of[k]) v[k] = x[base + u64(k) * run + (low.of[k] + high.of[k]) / 2];
    }
    while (__four_is_open(low, high)) {
        var (least, greatest) = (4u32, 4u32);
        var (first, last) = (v[0], v[0]);
        var (left, up_to) = (d, 0u64);
        unroll for (k in 0u32..4) {
            left -= low.of[k];
            up_to += (high.of[k] - low.of[k]) / 2;
            let is_open = low.of[k] < high.of[k];
            let is_least = is_open && (least == 4 || __is_less(less(v[k], first)));
            let is_greatest = is_open && (greatest == 4 || !__is_less(less(v[k], last)));
            (least, first) = (is_least ? k : least, is_least ? v[k] : first);
            (greatest, last) = (is_greatest ? k : greatest, is_greatest ? v[k] : last);
        }
        let is_in = up_to < left;
        let pick = is_in ? least : greatest;
        var (lo, hi) = (0u64, 0u64);
        unroll for (k in 0u32..4) {
            if (k == pick) (lo, hi) = (low.of[k], high.of[k]);
        }
        let middle = (lo + hi) / 2;
        (lo, hi) = (is_in ? middle + 1 : lo, is_in ? hi : middle);
        var w = first;
        if (lo < hi) w = x[base + u64(pick) * run + (lo + hi) / 2];
        unroll for (k in 0u32..4) {
            (low.of[k], high.of[k]) = (k == pick ? lo : low.of[k], k == pick ? hi : high.of[k]);
            v[k] = k == pick ? w : v[k];
        }
    }
    return low;
}

// The same by a warp, which compares eight elements of each run at once.
fn __four_sample(low: u64, high: u64, j: u32) -> u64 = low + (high - low) * u64(j + 1) / 9;
fn __split_four_by_warp<T: type, F: fn>(x: ptr<T, global>, base: u64, run: u64, d: u64, from: __Four, to: __Four, less: F) -> __Four {
    var (low, high) = (from, to);
    let (own, j) = (warp.lane / 8, warp.lane % 8);
    while (warp.any(__four_is_open(low, high))) {
        var (lo, hi) = (0u64, 0u64);
        unroll for (k in 0u32..4) {
            if (k == own) (lo, hi) = (low.of[k], high.of[k]);
        }
        let place = __four_sample(lo, hi, j);
        var v: T;
        if (lo < hi) v = x[base + u64(own) * run + place];
        var (least, most) = (0u64, 0u64); // elements before this one
        unroll for (k in 0u32..4) {
            var n = 0u32; // samples of the run that come before this one
            unroll for (i in 0u32..4) {
                let w = warp.shuffle(v, 8 * k + min(n + (4u32 >> i) - u32(i < 3), 7));
                let is_before = k < own ? !__is_less(less(v, w)) : __is_less(less(w, v));
                if (is_before) n += i < 3 ? 4u32 >> i : 1;
            }
            if (k == own) {
                least += place;
                most += place;
            } else {
                let is_open = low.of[k] < high.of[k];
                least += is_open && n > 0 ? __four_sample(low.of[k], high.of[k], n - 1) + 1 : low.of[k];
                most += is_open && n < 8 ? __four_sample(low.of[k], high.of[k], n) : high.of[k];
            }
        }
        let is_in = warp.ballot(lo < hi && most < d);
        let is_out = warp.ballot(lo < hi && least >= d);
        unroll for (k in 0u32..4) {
            let (ins, outs) = (popcount(is_in >> 8 * k & 0xff), popcount(is_out >> 8 * k & 0xff));
            let (l, h) = (low.of[k], high.of[k]);
            if (ins > 0) low.of[k] = __four_sample(l, h, ins - 1) + 1;
            if (outs > 0) high.of[k] = __four_sample(l, h, 8 - outs);
        }
    }
    return low;
}

// Copies bytes p to q - 1 to the stage, which has the piece of 16 bytes that p is in at its begin. `low` to
// `high` are the pieces within the array. Returns where the bulk copy begins and ends. By a warp.
fn __four_patch(stage: ptr<u32, shared>, p: u64, q: u64, low: u64, high: u64) -> (u64, u64) {
    var from = max(p & ~15u64, low);
    var to = min(q + 15 & ~15u64, high);
    if (from >= to) (from, to) = (q, q);
    let begin = p & ~15u64;
    unroll(1) for (at in (p + u64(4 * warp.lane)..min(from, q)).step(128)) stage[(at - begin) / 4] = ptr<u32, global>(at)[0];
    unroll(1) for (at in (max(to, p) + u64(4 * warp.lane)..q).step(128)) stage[(at - begin) / 4] = ptr<u32, global>(at)[0];
    return (from, to);
}
fn __four_copy(stage: ptr<u32, shared>, p: u64, from: u64, to: u64, bar: ptr<barrier, shared>) {
    if (from < to) bulk.load(ptr<u32x4, shared>(stage + (from - (p & ~15u64)) / 4), ptr<u32x4, global>(from), u32((to - from) / 16), bar[0]);
}

// One step of a thread's merge: its place in A and in B, and the elements there. Without ends neither of
// the two can run out. Unlike in device/merge_tiles.ck places are addresses, since A and B need not be a
// whole number of elements apart in a stage.
struct __FourStep<T: type> { i: ptr<T, shared>; j: ptr<T, shared>; left: T; right: T; }
fn __four_step<const HAS_ENDS: bool, T: type, F: fn>(now: __FourStep<T>, to: ptr<T, shared>, a_end: ptr<T, shared>, b_end: ptr<T, shared>, less: F) -> __FourStep<T> {
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
    return __FourStep(is_right ? now.i : next, is_right ? next : now.j, is_right ? now.left : v, is_right ? v : now.right);
}

// Merges `count` elements of what is left of A and B, which begin at a and b. The element behind each is
// read as well; a stage has room for one more.
fn __four_serially<T: type, F: fn>(a: ptr<T, shared>, a_len: u32, b: ptr<T, shared>, b_len: u32, to: ptr<T, shared>, count: u32, less: F) {
    let (a_end, b_end) = (a + a_len, b + b_len);
    var now: __FourStep<T>;
    now.i = a;
    now.j = b;
    if (a_len > 0 || !__is_checked()) now.left = a[0];
    if (b_len > 0 || !__is_checked()) now.right = b[0];
    var k = 0u32;
    // Until then neither has run out.
    let safe = min(count, max(min(a_len, b_len), 1) - 1);
    while (k + 4 <= safe) {
        unroll for (u in 0u32..4) now = __four_step<false>(now, to + (k + u), a_end, b_end, less);
        k += 4;
    }
    while (k < count) {
        now = __four_step<true>(now, to + k, a_end, b_end, less);
        k += 1;
    }
}

// Elements d to d + count - 1 of the merge of A and B, whose places are a and b.
fn __four_merge<T: type, F: fn>(a: ptr<T, shared>, a_len: u32, b: ptr<T, shared>, b_len: u32, to: ptr<T, shared>, d: u32, count: u32, less: F) {
    var lo = d > b_len ? d - b_len : 0;
    var hi = min(d, a_len);
    let last = b + d - 1;
    while (lo < hi) {
        let m = (lo + hi) / 2;
        if (__is_less(less((last - m)[0], a[m]))) hi = m;
        else lo = m + 1;
    }
    __four_serially(a + lo, a_len - lo, b + (d - lo), b_len - (d - lo), to + d, count, less);
}

// What the workers know of a tile: where it is in the result, its elements, and for each run where its part
// begins in the stage, in bytes, and how long it is.
struct __FourTile { first: u64; count: u32; at: u32[4]; len: u32[4]; }

// The group of runs that tile t is in: where it begins, the lengths of its runs, and where in the merge of
// them the tile begins and ends.
struct __FourGroup { base: u64; len: __Four; from: u64; to: u64; }
fn __four_group(t: u32, of_group: u32, tile: u32, run: u64, n: u64) -> __FourGroup {
    var r: __FourGroup;
    r.base = u64(t / of_group) * (4 * run);
    unroll for (k in 0u32..4) {
        let start = min(r.base + u64(k) * run, n);
        r.len.of[k] = min(start + run, n) - start;
    }
    let all = min(r.base + 4 * run, n) - r.base;
    r.from = min(u64(t % of_group) * u64(tile), all);
    r.to = min(r.from + u64(tile), all);
    return r;
}
// What place d of a group may have of each run, if place d0 has `known` of them.
fn __four_ranges(g: __FourGroup, d: u64, known: __Four, d0: u64) -> (__Four, __Four) {
    var low: __Four;
    var high: __Four;
    unroll for (k in 0u32..4) {
        let others = g.len.of[0] + g.len.of[1] + g.len.of[2] + g.len.of[3] - g.len.of[k];
        low.of[k] = max(known.of[k], d - min(d, others));
        high.of[k] = min(known.of[k] + (d - d0), g.len.of[k]);
    }
    return (low, high);
}

// Each four runs of one array become a run of the other one; the last round writes to x.
fn __merge_four<const N: u32, const WORKERS: u32, const RUN: u32, T: type, F: fn>(x: inout T[], y: inout T[], n: u64, most: u64, round: u32, less: F) {
    const S: u32 = __FOUR_STAGES;
    const START: u32 = __FOUR_START;
    const AHEAD: u32 = __FOUR_AHEAD;
    const BYTES: u32 = sizeof<T>;
    const THREADS: u32 = WORKERS * 32;
    const SPARE: u32 = 32; // a multiple of 16 bytes
    const ROWS: u32 = (THREADS * N * BYTES + 15) / 16;
    const STAGE: u32 = ROWS + 6 + (BYTES + 15) / 16; // the rest of a piece around each part, an element behind
    shared stages: u32x4[S * STAGE];
    shared middles: u32x4[ROWS + (BYTES + 15) / 16];
    shared merged: u32x4[ROWS];
    shared tiles_of_stages: __FourTile[S];
    shared ends: __Four[2 * AHEAD]; // number k is where tile first + k begins
    shared full: barrier[S];
    shared empty: barrier[S];
    shared found: barrier[2];
    shared taken: barrier[2];
    if (thread.rank == 0) {
        for (s in 0..S) {
            mbarrier.init(full[s], 32); // all lanes of the loader
            mbarrier.init(empty[s], WORKERS);
        }
        for (s in 0u32..2) {
            mbarrier.init(found[s], 32); // all lanes of the searcher
            mbarrier.init(taken[s], 1);
        }
    }
    let left = __four_rounds_of<RUN>(most) - 1 - round;
    let run = u64(RUN) << u64(2 * round);
    let (at_x, at_y) = (__memory_of(x), __memory_of(y));
    let source = left % 2 == 1 ? at_x : at_y;
    let target = left % 2 == 1 ? at_y : at_x;
    // All tiles of a group have the same length but for the last one. It is less than all threads merge, so
    // that no thread has elements of both halves of `middle`.
    let group = 4 * run;
    let items = u32(ceil_div(ceil_div(group, ceil_div(group, u64(THREADS * N - SPARE))) + u64(SPARE), u64(THREADS))) | 1;
    let tile = THREADS * items - SPARE;
    let of_group = u32(ceil_div(group, u64(tile)));
    let tiles = u32(n / group) * of_group + u32(ceil_div(n % group, u64(tile)));
    let each = ceil_div(tiles, grid.dim.x);
    let first = min(block.id.x * each, tiles);
    let last = min(first + each, tiles);
    if (first < last && warp.rank <= last - first) {
        // The first tile may begin with its group.
        let own = warp.rank > 0 ? warp.rank - 1 : 0;
        let g = __four_group(first + own, of_group, tile, run, n);
        let d = warp.rank > 0 ? g.to : g.from;
        var none: __Four;
        let (low, high) = __four_ranges(g, d, none, 0);
        let r = __split_four_by_warp(source, g.base, run, d, low, high, less);
        if (warp.lane == 0) ends[warp.rank] = r;
    }
    block.sync();
    split {
        worker(warps = WORKERS) {
            let middle = ptr<T, shared>(address(middles[0]));
            let out_ = ptr<T, shared>(address(merged[0]));
            unroll(1) for (t in first..last) {
                let s = (t - first) % S;
                mbarrier.wait(full[s], (t - first) / S % 2);
                let (first_of, count) = (tiles_of_stages[s].first, tiles_of_stages[s].count);
                let stage = ptr<u8, shared>(address(stages[s * STAGE]));
                let a_len = tiles_of_stages[s].len[0] + tiles_of_stages[s].len[1];
                let left_threads = ceil_div(a_len, items);
                let half = thread.rank >= left_threads ? 2u32 : 0u32;
                let place = half == 0 ? 0u32 : a_len;
                let of_half = half == 0 ? a_len : count - a_len;
                let at = (thread.rank - (half == 0 ? 0 : left_threads)) * items;
                if (at < of_half)
                    __four_merge(ptr<T, shared>(stage + tiles_of_stages[s].at[half]), tiles_of_stages[s].len[half], ptr<T, shared>(stage + tiles_of_stages[s].at[half + 1]), tiles_of_stages[s].len[half + 1], middle + place, at, min(items, of_half - at), less);
                warp.sync();
                if (warp.lane == 0) mbarrier.arrive(empty[s]);
                if (thread.rank == 0) bulk.wait_read(); // the tile before: its place is free behind the barrier
                worker.sync();
                let own = thread.rank * items;
                if (own < count) __four_merge(middle, a_len, middle + a_len, count - a_len, out_, own, min(items, count - own), less);
                bulk.fence();
                worker.sync();
                let to = target + first_of;
                let bytes = count * BYTES;
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
            unroll(1) for (t in first..last) {
                let (k, s) = (t - first, (t - first) % S);
                // Of the ends, those up to START - 1 are batch 0, and AHEAD each are a further one.
                let batch = (k + 1 + (AHEAD - START)) / AHEAD;
                let is_next = (k + 1 + (AHEAD - START)) % AHEAD == 0;
                if (is_next) mbarrier.wait(found[batch % 2], (batch - 1) / 2 % 2);
                let from = ends[k % (2 * AHEAD)];
                let to = ends[(k + 1) % (2 * AHEAD)];
                warp.sync();
                if (is_next && warp.lane == 0) mbarrier.arrive(taken[(batch - 1) % 2]);
                let g = __four_group(t, of_group, tile, run, n);
                if (k >= S) mbarrier.wait(empty[s], (k / S + 1) % 2);
                let stage = ptr<u32, shared>(address(stages[s * STAGE]));
                var info: __FourTile;
                info.first = g.base + g.from;
                info.count = u32(g.to - g.from);
                var place = 0u32;
                var starts: __Four;
                var begins: __Four;
                var stops: __Four;
                var bytes = 0u32;
                unroll for (r in 0u32..4) {
                    let begin = g.from == 0 ? 0u64 : from.of[r];
                    info.len[r] = u32(to.of[r] - begin);
                    let p = u64(source + (g.base + u64(r) * run + begin));
                    let q = p + u64(info.len[r] * BYTES);
                    info.at[r] = place + u32(p & 15);
                    (starts.of[r], begins.of[r], stops.of[r]) = (p, p, p);
                    if (info.len[r] > 0) {
                        let (part, end) = __four_patch(stage + place / 4, p, q, low, high);
                        (begins.of[r], stops.of[r]) = (part, end);
                        bytes += u32(end - part);
                        place += u32((q + 15 & ~15u64) - (p & ~15u64));
                    }
                }
                if (warp.lane > 0) {
                    mbarrier.arrive(full[s]);
                } else {
                    tiles_of_stages[s] = info;
                    mbarrier.arrive(full[s], bytes = bytes);
                    unroll for (r in 0u32..4)
                        __four_copy(stage + (info.at[r] - u32(starts.of[r] & 15)) / 4, starts.of[r], begins.of[r], stops.of[r], address(full[s]));
                }
            }
        }
        searcher(warps = 1) {
            let count = last - first + 1;
            unroll(1) for (i in 1..(count + (AHEAD - START) + AHEAD - 1) / AHEAD) {
                if (i >= 2) mbarrier.wait(taken[i % 2], (i / 2 + 1) % 2);
                warp.sync();
                let begin = i * AHEAD - (AHEAD - START);
                let k = begin + warp.lane;
                if (k < count) {
                    let before = __four_group(first + begin - 2, of_group, tile, run, n);
                    let g = __four_group(first + k - 1, of_group, tile, run, n);
                    var (known, d0) = (ends[(begin - 1) % (2 * AHEAD)], before.to);
                    if (before.base != g.base) {
                        var none: __Four;
                        (known, d0) = (none, 0u64);
                    }
                    let (low, high) = __four_ranges(g, g.to, known, d0);
                    ends[k % (2 * AHEAD)] = __split_four(source, g.base, run, g.to, low, high, less);
                }
                mbarrier.arrive(found[i % 2]);
            }
        }
    }
}
