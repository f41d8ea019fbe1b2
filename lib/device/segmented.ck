// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/segmented.ck - one value for each segment of a sequence, by launches of kernels.
//
// segmented_reduce(it, offsets, to, f, init), in an algorithm: to[s] = f of init and it[offsets[s]] to
// it[offsets[s + 1] - 1], for s below offsets.len - 1; init where the segment is empty
//
//   it            a finite iterator. Elements are converted to init's type
//   offsets       a span or iterator of integers in order, each at most it.len; one more than there
//                 are segments
//   to            writable, with room for a value of each segment
//   f             associative, for floats as far as rounding goes; it need not be commutative
//   overlap       it, offsets and f: allowed
//                 it, offsets or f and to: rejected
//   result        equal calls on one device give equal results
//   launches      1; 3 of which 2 are launched for more than 2^21 elements in short segments
//   scratch       a value of each block
//   steps         by the mean length, which the host knows: up to 32 elements 8 lanes reduce a segment,
//                 up to 1024 a warp does, above that a block. For more than 2^21 elements in segments
//                 of at most 1024, or fewer than 256 segments, the blocks that the device runs at a
//                 time take equal ranges of the elements. A function that isn't +, min, max or
//                 bitwise: a warp or a block a segment
//   target        any
//   CUB           DeviceSegmentedReduce::Reduce(x, y, segments, begins, ends, f, init)   segmented_reduce(x, offsets, y, f, init)
//   cuda.compute  segmented_reduce                                                       segmented_reduce
//
//   algorithm row_sums(n: u64, rows: u64, x: in f32[n], starts: in u32[rows + 1], y: out f32[rows]) {
//       segmented_reduce(x, starts, y, +, 0.0);
//   }
//   CALL: row_sums(x=[1, 2, 4, 8], starts=[0, 1, 1, 4], y=zeros:3)
//   EXPECT: y = [1, 0, 14]
//
// Ranges. A block goes through its tiles, and through the offsets beside them:
//
//     elements   | tile                                  | next tile ...
//     segments   ...--s3--|--s4--|-----s5-----|--s6-----------...
//     ends                *      *            *              a bit at the last element of a segment, and
//     threads    |  t0   |  t1   |  t2   |  t3   |  t4   |   beside it which segment it is
//
// A thread adds up 16 adjacent elements, and closes a sum at each bit. All but its first sum are
// whole. What stands before the first bit comes from the threads before: a scan of the open sums that
// starts anew at each bit, over the warp, over the warps, and from tile to tile. The segment that is
// open where a range begins is completed by a second launch.

const __SEGMENT_BLOCKS: u64 = 1024; // that take ranges
const __NO_SEGMENT: u64 = 0xffffffffffffffff;

// ---- some lanes a segment ----

// A lane asks for U elements before it waits for one.
fn __reduce_by_lanes<const LANES: u32, const U: u32, I: type, X: type, O: type, F: fn, T: type>(it: I, offsets: X, to: O, f: F, init: T) {
    let segments = offsets.len - min(offsets.len, 1);
    let s = __step_rank() / u64(LANES);
    let none = __Plain().none(f, init);
    var v = none;
    if (s < segments) {
        let (lo, hi) = (u64(offsets[s]), u64(offsets[s + 1]));
        var acc: T[U];
        unroll for (u in 0..U) acc[u] = none;
        unroll(1) for (i in (lo + u64(thread.rank % LANES)..hi).step(u64(U * LANES))) {
            var a: T[U];
            unroll for (u in 0..U) {
                a[u] = none;
                if (i + u64(u * LANES) < hi) a[u] = __as<T>(it[i + u64(u * LANES)]);
            }
            unroll for (u in 0..U) acc[u] = f(acc[u], a[u]);
        }
        v = acc[0];
        unroll for (u in 1..U) v = f(v, acc[u]);
    }
    const STEPS = ctz(LANES);
    unroll for (k in 0..STEPS) v = f(v, warp.shuffle_xor(v, LANES / 2 >> k));
    if (s < segments && thread.rank % LANES == 0) to[s] = f(init, v);
}

// A warp a segment, in order.
fn __reduce_by_warps<I: type, X: type, O: type, F: fn, T: type>(it: I, offsets: X, to: O, f: F, init: T) {
    let segments = offsets.len - min(offsets.len, 1);
    let s = u64(block.id.x) * u64(block.size / 32) + u64(warp.rank);
    if (s >= segments) return;
    let (lo, hi) = (u64(offsets[s]), u64(offsets[s + 1]));
    var all = init;
    if (lo < hi) {
        let v = __fold_ordered<T>(it, lo, hi, f);
        if (warp.lane == 0) all = f(init, v);
    }
    if (warp.lane == 0) to[s] = all;
}

// ---- a block a segment ----

// Elements lo to hi - 1, by rows of vectors, the first of which begins at a multiple of V.
fn __fold_section<const U: u32, const V: u32, I: type, F: fn, T: type>(it: I, lo: u64, hi: u64, f: F, none: T) -> T {
    const ROW = u64(V * block.size);
    let first = min(ceil_div(lo, u64(V)) * u64(V), hi);
    var acc: T[U];
    unroll for (u in 0..U) acc[u] = none;
    var at = first + u64(thread.rank * V);
    let end = hi / u64(V) * u64(V);
    var a: element_of<I>[U * V];
    let last = end - min(end, u64(U - 1) * ROW);
    unroll(1) for (i in (at..last).step(u64(U) * ROW)) {
        unroll for (u in 0..U) {
            let row = __adjacent<V, true>(it, i + u64(u) * ROW);
            unroll for (k in 0..V) a[u * V + k] = row[k];
        }
        unroll for (u in 0..U) {
            unroll for (k in 0..V) acc[u] = f(acc[u], __as<T>(a[u * V + k]));
        }
        at = i + u64(U) * ROW;
    }
    unroll(1) for (i in (at..end).step(ROW)) {
        let row = __adjacent<V, true>(it, i);
        unroll for (k in 0..V) acc[0] = f(acc[0], __as<T>(row[k]));
    }
    var v = acc[0];
    unroll for (u in 1..U) v = f(v, acc[u]);
    let front = lo + u64(thread.rank);
    if (front < first) v = f(v, __as<T>(it[front]));
    let back = max(end, first) + u64(thread.rank);
    if (back < hi) v = f(v, __as<T>(it[back]));
    return v;
}

fn __reduce_by_blocks<const U: u32, I: type, X: type, O: type, F: fn, T: type>(it: I, offsets: X, to: O, f: F, init: T) {
    const V: u32 = __wide_count<element_of<I>>();
    let segments = offsets.len - min(offsets.len, 1);
    if (u64(block.id.x) >= segments) return;
    let (lo, hi) = (u64(offsets[u64(block.id.x)]), u64(offsets[u64(block.id.x) + 1]));
    let none = __Plain().none(f, init);
    var v = none;
    if (__adjoins<V>(it)) {
        v = __fold_section<U, V>(it, lo, hi, f, none);
    } else {
        unroll(4) for (i in (lo + u64(thread.rank)..hi).step(u64(block.size))) v = f(v, __as<T>(it[i]));
    }
    v = __fold_block(__Plain(), v, none, f);
    if (thread.rank == 0) to[u64(block.id.x)] = f(init, v);
}

// The same in order: each warp takes adjacent elements.
fn __reduce_by_blocks_ordered<I: type, X: type, O: type, F: fn, T: type>(it: I, offsets: X, to: O, f: F, init: T) {
    const WARPS = block.size / 32;
    let segments = offsets.len - min(offsets.len, 1);
    if (u64(block.id.x) >= segments) return;
    let (lo, hi) = (u64(offsets[u64(block.id.x)]), u64(offsets[u64(block.id.x) + 1]));
    let run = max(ceil_div(ceil_div(hi - lo, u64(WARPS)), 128), 1) * 128;
    shared of_warps: T[WARPS];
    let first = lo + u64(warp.rank) * run;
    if (first < hi) {
        let v = __fold_ordered<T>(it, first, min(first + run, hi), f);
        if (warp.lane == 0) of_warps[warp.rank] = v;
    }
    block.sync();
    let filled = u32(ceil_div(hi - lo, run));
    var all = init;
    if (filled > 0) {
        let v = __fold_warp<false>(of_warps[min(warp.lane, filled - 1)], f, filled);
        if (thread.rank == 0) all = f(init, v);
    }
    if (thread.rank == 0) to[u64(block.id.x)] = all;
}

// ---- equal ranges of the elements ----

// The first segment that ends behind element p - 1: the least s with offsets[s + 1] > p, or
// `segments`. By one warp: 32 segments around `guess`, then steps that leave a 32nd of the rest.
fn __segment_behind<X: type>(offsets: X, segments: u64, p: u64, guess: u64) -> u64 {
    let at = min(guess - min(guess, 16), segments - min(segments, 32));
    let q = at + u64(warp.lane);
    let near = warp.ballot(q >= segments || u64(offsets[min(q, segments - 1) + 1]) > p);
    var (lo, hi) = (min(at + 32, segments), segments);
    if (near != 0) {
        hi = min(at + u64(ctz(near)), segments);
        lo = near & 1 == 0 || at == 0 ? hi : 0;
    }
    while (lo < hi) {
        let step = (hi - lo) / 32 + 1;
        let r = min(lo + (u64(warp.lane) + 1) * step - 1, hi - 1);
        let behind = warp.ballot(u64(offsets[r + 1]) > p);
        if (behind == 0) {
            lo = hi;
        } else {
            let k = ctz(behind);
            hi = warp.shuffle(r, k);
            if (k > 0) lo = warp.shuffle(r, max(k, 1) - 1) + 1;
        }
    }
    return lo;
}

// N adjacent elements of T for each thread, from `base` on, row by row of 16 bytes; `none` for those
// below lo and from hi on.
fn __read_chunks<const N: u32, I: type, T: number>(it: I, base: u64, lo: u64, hi: u64, is_wide: bool, none: T) -> T[N] {
    const W: u32 = 16 / u32(sizeof<T>);
    var v: T[N];
    let at = base + u64(thread.rank * W);
    if (is_wide && base >= lo && base + u64(N * block.size) <= hi) {
        unroll for (k in 0..N / W) {
            let row = __adjacent<W, true>(it, at + u64(k * block.size * W));
            unroll for (j in 0..W) v[k * W + j] = __as<T>(row[j]);
        }
        warp.sync(); // LLVM would take the last loads out of both branches: device/compact.ck
    } else {
        unroll for (k in 0..N / W) {
            unroll for (j in 0..W) {
                let i = at + u64(k * block.size * W + j);
                v[k * W + j] = none;
                if (i >= lo && i < hi) v[k * W + j] = __as<T>(it[i]);
            }
        }
    }
    return v;
}

// Open sums: where has_head, v begins anew in this lane. Gives the sum that is open behind each lane.
fn __open_sums<T: type, F: fn>(v: T, has_head: bool, f: F) -> T {
    let heads = warp.ballot(has_head) & u32((2u64 << u64(warp.lane)) - 1);
    let since = heads != 0 ? 31 - clz(heads) : 0; // the lane from which on the sum is open
    var open = v;
    unroll for (d in 0..5) {
        let left = warp.shuffle_up(open, 1u32 << d);
        if (warp.lane >= since + (1u32 << d)) open = f(left, open);
    }
    return open;
}

struct __RangeEnd<T: type> {
    carry: T;   // of what is open at the end of the range
    head: T;    // of the segment that was open where it began, up to its end
    segment: u64; // that segment, or __NO_SEGMENT if it doesn't end in the range
    is_closed: u32; // a segment ends in the range, so that carry begins behind it
}

fn __reduce_ranges<const N: u32, I: type, X: type, O: type, F: fn, T: type>(it: I, offsets: X, to: O, f: F, init: T, ends: out __RangeEnd<T>[], count: out u32[]) {
    const W: u32 = 16 / u32(sizeof<T>);
    const E: u32 = N * block.size;
    const WARPS = block.size / 32;
    shared tile: T[E];
    shared ids: u32[E];
    shared marks: u32[2, E / 32];
    shared ended: u32[2];
    shared has_marks: u32[2];
    shared sums: T[WARPS];
    shared start: u64[1];
    let segments = offsets.len - min(offsets.len, 1);
    if (__step_rank() == 0) count[0] = segments > 0 ? grid.dim.x : 0;
    if (segments == 0) return;
    let none = __Plain().none(f, init);
    let (lo, hi) = (u64(offsets[0u64]), u64(offsets[segments]));
    let is_wide = __adjoins<W>(it);
    let from = lo / u64(W) * u64(W);
    let tiles = max(ceil_div(hi - from, u64(E)), 1);
    let (rank, blocks) = (u64(block.id.x), u64(grid.dim.x));
    let (first, last) = (tiles * rank / blocks, tiles * (rank + 1) / blocks);
    let t = thread.rank;
    for (i in block.stride(E / 32)) (marks[0, i], marks[1, i]) = (0, 0);
    if (t < 2) (ended[t], has_marks[t]) = (0, 0);
    if (warp.rank == 0) {
        let p = from + first * u64(E);
        let s = first == 0 ? 0 : __segment_behind(offsets, segments, p, u64(f64(p - lo) / f64(max(hi - lo, 1)) * f64(segments)));
        if (t == 0) start[0] = s;
    }
    block.sync();
    var cur = start[0];
    var (begin, end) = (0u64, 0u64); // of segment cur + t
    if (cur + u64(t) < segments) (begin, end) = (u64(offsets[cur + u64(t)]), u64(offsets[cur + u64(t) + 1]));
    var carry = none;
    var is_closed = false;
    var next: T[N];
    if (first < last) next = __read_chunks<N>(it, from + first * u64(E), lo, hi, is_wide, none);
    for (k in first..last) {
        let side = u32(k & 1);
        let base = from + k * u64(E);
        let stop = min(base + u64(E), hi);
        unroll for (c in 0..N / W) tile.store(thread.swizzled<N / W>(c * block.size + t) * W, next.load<W>(c * W));
        var mine = 0u32;
        var s = cur + u64(t);
        while (s < segments && end <= stop) {
            if (end > begin) {
                let place = u32(end - 1 - base);
                atomic.or(marks[side, place / 32], 1u32 << place % 32, scope = block);
                ids[place] = u32(s - cur);
            } else {
                to[s] = init;
            }
            mine += 1;
            s += u64(block.size);
            if (s < segments) (begin, end) = (u64(offsets[s]), u64(offsets[s + 1]));
        }
        mine = warp.sum(mine);
        if (warp.lane == 0 && mine > 0) atomic.add(ended[side], mine, scope = block);
        block.sync();
        if (k + 1 < last) next = __read_chunks<N>(it, base + u64(E), lo, hi, is_wide, none);
        let behind = cur + u64(ended[side]);
        if (behind + u64(t) < segments) (begin, end) = (u64(offsets[behind + u64(t)]), u64(offsets[behind + u64(t) + 1]));
        let bits = marks[side, t * N / 32] >> t * N % 32 & u32((1u64 << u64(N)) - 1);
        let v = thread.load<N>(tile, t, swizzle = true);
        var (acc, head) = (none, none);
        var head_id = 0u32;
        if (bits == 0) {
            unroll for (j in 0..N) acc = f(acc, v[j]);
        } else {
            var has_head = false;
            unroll for (j in 0..N) {
                acc = f(acc, v[j]);
                if (bits >> j & 1 == 1) {
                    let id = ids[t * N + j];
                    if (has_head) to[cur + u64(id)] = f(init, acc);
                    else (head, head_id) = (acc, id);
                    has_head = true;
                    acc = none;
                }
            }
        }
        let heads = warp.ballot(bits != 0);
        let open = __open_sums(acc, bits != 0, f);
        var before = warp.shuffle_up(open, 1);
        if (warp.lane == 0) before = none;
        if (warp.lane == 31) {
            sums[warp.rank] = open;
            if (heads != 0) atomic.or(has_marks[side], 1u32 << warp.rank, scope = block);
        }
        block.sync();
        let warps = has_marks[side];
        var (ahead, all) = (carry, carry);
        unroll for (w in 0..WARPS) {
            if (w == warp.rank) ahead = all;
            all = warps >> w & 1 == 1 ? sums[w] : f(all, sums[w]);
        }
        carry = all;
        if (bits != 0) {
            let is_first = heads & (1u32 << warp.lane) - 1 == 0;
            let whole = f(is_first ? f(ahead, before) : before, head);
            if (is_first && !is_closed && rank > 0 && warps & (1u32 << warp.rank) - 1 == 0)
                (ends[rank].head, ends[rank].segment) = (whole, cur + u64(head_id));
            else to[cur + u64(head_id)] = f(init, whole);
        }
        is_closed = is_closed || warps != 0;
        cur = behind;
        for (i in block.stride(E / 32)) marks[side, i] = 0;
        if (t == 0) ended[side] = 0;
        if (t == 1) has_marks[side ^ 1] = 0;
    }
    if (t == 0) {
        (ends[rank].carry, ends[rank].is_closed) = (carry, u32(is_closed));
        if (!is_closed || rank == 0) (ends[rank].head, ends[rank].segment) = (none, __NO_SEGMENT);
    }
}

// The segments that are open where ranges begin: a thread for each range.
fn __join_ranges<O: type, F: fn, T: type>(to: O, f: F, init: T, ends: in __RangeEnd<T>[], count: in u32[]) {
    const WARPS = block.size / 32;
    shared open: T[block.size];
    shared has_marks: u32[WARPS];
    let n = __assume_block(count[0]);
    if (n == 0) return;
    let t = thread.rank;
    let mine = ends[min(t, n - 1)];
    open[t] = __open_sums(mine.carry, mine.is_closed == 1, f);
    let marks = warp.ballot(mine.is_closed == 1);
    if (warp.lane == 0) has_marks[warp.rank] = marks;
    block.sync();
    if (t == 0 || t >= n || mine.segment == __NO_SEGMENT) return;
    // What is open behind range t - 1: in its warp, and in the warps before that without a mark
    var v = open[t - 1];
    var w = (t - 1) / 32;
    var is_open = has_marks[w] & u32((2u64 << u64((t - 1) % 32)) - 1) == 0;
    while (is_open && w > 0) {
        w -= 1;
        v = f(open[w * 32 + 31], v);
        is_open = has_marks[w] == 0;
    }
    to[mine.segment] = f(init, f(v, mine.head));
}

fn __segments_serial<I: type, X: type, O: type, F: fn, T: type>(it: I, offsets: X, to: O, f: F, init: T) {
    let segments = offsets.len - min(offsets.len, 1);
    for (s in 0..segments) {
        var v = init;
        for (i in u64(offsets[s])..u64(offsets[s + 1])) v = f(v, __as<T>(it[i]));
        to[s] = v;
    }
}

algorithm device.segmented_reduce<I: type, X: type, O: type, F: fn, T: type = element_of<I>>(it: I, offsets: X, to: O, f: F, init: T) {
    static_assert(sizeof(__is_place(offsets[0u64])) == 1, "");
    let n = __finite(__most(it));
    let elements = take(it, n);
    let starts = take(offsets, __finite(__most(offsets)));
    __apart(elements, starts, f, to);
    __fits(offsets.len, 1, "'offsets'");
    __fits(__room(to), max(offsets.len, 1) - 1, "'to'");
    let segments = starts.count - min(starts.count, 1);
    const COMMUTES = __operator(init, f) < 6;
    comptime if (__is_serial()) {
        launch __segments_serial(block = 1, grid = 1, it, offsets, to, f, init);
    } else {
        comptime if (COMMUTES) {
            if (n > 2097152 && (n <= 1024 * segments || segments < 256)) {
                const N: u32 = max(64 / u32(sizeof<T>), 8) > 32 ? 32 : 64 / u32(sizeof<T>);
                scratch ends: __RangeEnd<T>[__SEGMENT_BLOCKS];
                scratch count: u32[1];
                launch __reduce_ranges<N>(block = 256, blocks_per_sm = 3, grid = min(u64(resident), __SEGMENT_BLOCKS), it, offsets, to, f, init, ends, count);
                launch __join_ranges(block = 1024, grid = 1, to, f, init, ends, count);
            } else if (n <= 32 * segments) {
                launch __reduce_by_lanes<8, 4>(block = 256, grid = ceil_div(segments, 32), it, offsets, to, f, init);
            } else if (n <= 1024 * segments) {
                launch __reduce_by_lanes<32, 8>(block = 256, grid = ceil_div(segments, 8), it, offsets, to, f, init);
            } else if (n <= 32768 * segments) {
                launch __reduce_by_blocks<4>(block = 256, grid = segments, it, offsets, to, f, init);
            } else {
                launch __reduce_by_blocks<4>(block = 1024, grid = segments, it, offsets, to, f, init);
            }
        } else {
            if (n <= 1024 * segments) {
                launch __reduce_by_warps(block = 256, grid = ceil_div(segments, 8), it, offsets, to, f, init);
            } else {
                launch __reduce_by_blocks_ordered(block = 512, grid = segments, it, offsets, to, f, init);
            }
        }
    }
}
