// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/merge_tiles.ck - what algorithms that merge sorted sequences are made of: tiles of elements
// in shared memory, and the search for the place where two sequences split.
//
// The first d elements of the merge of sequences A and B are the first x of A and the first d - x of
// B. The x for a d is found by binary search (merge path: Green, McColl, Bader, "GPU Merge Path",
// 2012), since an element m of A is among them exactly if it doesn't come behind element d - 1 - m of B:
//
//     A   1 3 3 7            d = 5: x = 3, as 3 is not behind B[1], and 7 is behind B[5 - 1 - 3] = B[1]
//     B   2 3 8 9            merge: 1 2 3 3 3 | 7 8 9. Equal elements of A come before those of B
//
// For the ends of tiles some threads search together, with a place each a round; within a tile each
// thread searches for its own elements. The tile holds the part of A and behind it the part of B.

// Elements a thread, an odd number: elements that are N apart lie in different banks of shared memory.
fn __merge_items<T: type>() -> u32 =
    sizeof<T> <= 4 ? 17 : sizeof<T> <= 8 ? 9 : sizeof<T> <= 12 ? 7 : sizeof<T> <= 16 ? 5 : sizeof<T> <= 32 ? 3 : 1;
// Threads of a block that sorts a tile, of which sm_75 has room for fewer; of one that merges.
fn __sort_threads<T: type>() -> u32 = sizeof<T> <= 8 ? (__shared_most() > 65536 ? 512 : 256) : sizeof<T> <= 64 ? 256 : sizeof<T> <= 256 ? 64 : 32;
fn __merge_threads<T: type>() -> u32 = min(__sort_threads<T>(), 256);
// Blocks that merge on a multiprocessor, as shared memory allows; large elements need more registers.
fn __merge_blocks<T: type>() -> u32 = sizeof<T> <= 16 ? 4 : 1;

// Elements a thread that merges: few if there are few blocks. Twice the elements of a block that sorts
// are a multiple of those of a block that merges.
fn __merge_share<T: type>(n: u64) -> u32 {
    const N = __merge_items<T>();
    return n >= 524288 ? N : n >= 131072 ? min(N, 4 * __sort_threads<T>() / 512) : min(N, 2);
}

// What is read and written by its address: spans. Everything else is an iterator.
fn __memory_of<T: type>(x: in T[]) -> ptr<T, global> = x.len > 0 ? ptr<T, global>(address(x[0])) : ptr<T, global>(0);
fn __memory_of<T: type>(x: out T[]) -> ptr<T, global> = x.len > 0 ? ptr<T, global>(address(x[0])) : ptr<T, global>(0);
fn __memory_of<T: type>(x: inout T[]) -> ptr<T, global> = x.len > 0 ? ptr<T, global>(address(x[0])) : ptr<T, global>(0);
fn __memory_of<I: type>(x: I) -> I = x;

// Of the first d elements of the merge of A, from x[a] on, and B, from y[b] on, those that come from
// A, which are low to high. By a warp.
fn __split_by_warp<X: type, Y: type, F: fn>(x: X, y: Y, a: u64, b: u64, d: u64, low: u64, high: u64, less: F) -> u64 {
    var (lo, hi) = (__assume_warp(low), __assume_warp(high));
    while (lo < hi) {
        let step = (hi - lo + 31) / 32;
        let m = lo + u64(warp.lane + 1) * step - 1;
        var is_before = false;
        if (m < hi) is_before = !__is_less(less(y[b + (d - 1 - m)], x[a + m]));
        lo += u64(popcount(warp.ballot(is_before))) * step;
        hi = min(hi, lo + step - 1);
    }
    return lo;
}

// One step of a thread's merge: its place in A and in B, and the elements there.
struct __MergeStep<T: type> { i: u32; j: u32; left: T; right: T; }
fn __merge_one<T: type, F: fn>(now: __MergeStep<T>, in_: ptr<T, shared>, to: ptr<T, shared>, a_end: u32, b_end: u32, less: F) -> __MergeStep<T> {
    let is_right = now.j < b_end && (now.i >= a_end || __is_less(less(now.right, now.left)));
    to[0] = is_right ? now.right : now.left;
    let next = (is_right ? now.j : now.i) + 1;
    let v = in_[min(next, b_end - 1)]; // what is behind B, other threads may be writing
    return __MergeStep(is_right ? now.i : next, is_right ? next : now.j, is_right ? now.left : v, is_right ? v : now.right);
}

// Elements `at` to at + count - 1 of what the thread merges: A is in[a] to in[a_end - 1], B is in[b] to
// in[b_end - 1]. The element behind each is read as well; a tile has room for one more.
fn __merge_serially<T: type, F: fn>(in_: ptr<T, shared>, out_: ptr<T, shared>, a: u32, a_end: u32, b: u32, b_end: u32, at: u32, count: u32, less: F) {
    var now: __MergeStep<T>;
    now.i = a;
    now.j = b;
    now.left = in_[min(a, b_end - 1)];
    now.right = in_[min(b, b_end - 1)];
    let fours = at + count / 4 * 4;
    unroll(1) for (k in (at..fours).step(4)) {
        unroll for (u in 0u32..4) now = __merge_one(now, in_, out_ + (k + u), a_end, b_end, less);
    }
    unroll(1) for (k in fours..at + count) now = __merge_one(now, in_, out_ + k, a_end, b_end, less);
}

// The thread's elements `at` to at + count - 1, counted from a, of the merge of two runs of a tile.
fn __merge_in_tile<T: type, F: fn>(in_: ptr<T, shared>, out_: ptr<T, shared>, a: u32, middle: u32, end: u32, at: u32, count: u32, less: F) {
    let d = at - a;
    var lo = d > end - middle ? d - (end - middle) : 0;
    var hi = min(d, middle - a);
    while (lo < hi) {
        let m = (lo + hi) / 2;
        if (__is_less(less(in_[middle + d - 1 - m], in_[a + m]))) hi = m;
        else lo = m + 1;
    }
    __merge_serially(in_, out_, a + lo, middle, middle + d - lo, end, at, count, less);
}

// Starts to copy x[a] and on, then y[b] and on, to the tile. pipeline.wait() and block.sync() follow.
fn __start_tile<T: type>(tile: ptr<T, shared>, x: ptr<T, global>, a: u64, a_count: u32, y: ptr<T, global>, b: u64, count: u32) {
    const BYTES: u32 = sizeof<T>;
    let (left, right) = (x + a, y + b - a_count);
    comptime if (BYTES == 4 || BYTES == 8 || BYTES == 16) {
        unroll(2) for (i in block.stride(count)) memcpy_async(tile[i], (i < a_count ? left : right)[i]);
    } else comptime if (BYTES % 4 == 0 && alignof<T> >= 4) {
        const W = BYTES / 4;
        let words = ptr<u32, shared>(tile);
        let (lefts, rights) = (ptr<u32, global>(left), ptr<u32, global>(right));
        unroll(2) for (i in block.stride(count * W)) memcpy_async(words[i], (i < a_count * W ? lefts : rights)[i]);
    } else {
        unroll(4) for (i in block.stride(count)) tile[i] = (i < a_count ? left : right)[i];
    }
    pipeline.commit();
}
// The same of iterators.
fn __start_tile<T: type, X: type, Y: type>(tile: ptr<T, shared>, x: X, a: u64, a_count: u32, y: Y, b: u64, count: u32) {
    var i = thread.rank;
    while (i < count) {
        var v: T[4];
        unroll for (k in 0u32..4) {
            let at = i + k * block.size;
            if (at < a_count) v[k] = x[a + u64(at)];
            else if (at < count) v[k] = y[b + u64(at - a_count)];
        }
        unroll for (k in 0u32..4) {
            if (i + k * block.size < count) tile[i + k * block.size] = v[k];
        }
        i += 4 * block.size;
    }
}
// Writes a tile to `to[at]` and on: to memory in units of 16 bytes, to an iterator one by one.
fn __put_tile<T: type>(to: ptr<T, global>, at: u64, tile: ptr<T, shared>, count: u32) {
    const BYTES: u32 = sizeof<T>;
    let own = ptr<T, global>(address(to[at]));
    if (u64(own) % 16 == 0) {
        let bytes = count * BYTES;
        let (wide, rows) = (ptr<u32x4, global>(own), ptr<u32x4, shared>(tile));
        unroll(2) for (i in block.stride(bytes / 16)) wide[i] = rows[i];
        let (narrow, cells) = (ptr<u8, global>(own), ptr<u8, shared>(tile));
        if (thread.rank < bytes % 16) narrow[bytes / 16 * 16 + thread.rank] = cells[bytes / 16 * 16 + thread.rank];
    } else {
        unroll(1) for (i in block.stride(count)) own[i] = tile[i];
    }
}
// To `into`, or to `to` if it is the last time.
struct __Either<T: type, O: type> { to: O; into: ptr<T, global>; is_last: bool; }
fn __put_tile<T: type, O: type>(to: __Either<T, O>, at: u64, tile: ptr<T, shared>, count: u32) {
    if (to.is_last) __put_tile(to.to, at, tile, count);
    else __put_tile(to.into, at, tile, count);
}
fn __put_tile<T: type, O: type>(to: O, at: u64, tile: ptr<T, shared>, count: u32) {
    unroll(1) for (i in block.stride(count)) to[at + u64(i)] = tile[i];
}

// ---- a block's part of a merge ----

// Elements `first` to `last` - 1 are this block's, of n which may be less than the host knew.
fn __merge_part_of(most: u64, n: u64, items: u32) -> (u64, u64) {
    let tile = u64(block.size * items);
    let each = ceil_div(ceil_div(u32(ceil_div(most, u64(block.size))), items), grid.dim.x);
    let first = u64(block.id.x * each) * tile;
    return (min(first, n), min(first + u64(each) * tile, n));
}

// The elements of A that are before the ends of tiles: splits[k] before the end of tile k - 1, which is
// where tile k begins, if that isn't in the next pair. G threads search one of them.
fn __find_splits<X: type, Y: type, F: fn>(x: X, y: Y, shift: u64, splits: inout u64[], origin: u64, n: u64, run: u64, pair: u64, at: u64, stop: u64, tile: u64, less: F) {
    let count = u32(ceil_div(stop - at, tile)) + 1;
    var g = 32u32;
    while (g * count > block.size) g /= 2;
    let (k, j) = (thread.rank / g, thread.rank % g);
    var (lo, hi, base, middle, d) = (0u64, 0u64, 0u64, 0u64, 0u64);
    let p = min(at + u64(k) * tile, stop);
    if (k < count && p > origin) {
        base = origin + (p - 1 - origin) / pair * pair;
        middle = min(base + run, n);
        d = p - base;
        let b_len = min(base + pair, n) - middle;
        lo = d - min(d, b_len);
        hi = min(d, middle - base);
    }
    while (warp.any(lo < hi)) {
        let step = hi - lo + u64(g) - 1 >> u64(ctz(g));
        let m = lo + u64(j + 1) * step - 1;
        var is_before = false;
        if (lo < hi && m < hi) is_before = !__is_less(less(y[middle - shift + (d - 1 - m)], x[base + m]));
        lo += u64(popcount(warp.ballot(is_before) >> (warp.lane & ~(g - 1)) & ~0u32 >> (32 - g))) * step;
        hi = max(lo, min(hi, lo + step - 1));
    }
    if (j == 0 && k < count) splits[k] = lo;
}

// Merges pairs of runs, which begin at `origin`: A is `run` elements of x, and B lies behind it, element i
// of the sequence at y[i - shift]; a pair has `pair` elements, the last one ends before n. The block's
// elements are first to last - 1 of the result. All threads start to read a tile, write the one that
// was merged before meanwhile, and merge this one.
fn __merge_range<const N: u32, X: type, Y: type, O: type, F: fn>(x: X, y: Y, shift: u64, to: O, origin: u64, n: u64, run: u64, pair: u64, first: u64, last: u64, items: u32, less: F) {
    const ROWS = (block.size * N * u32(sizeof<element_of<X>>) + 15) / 16;
    const SPLITS = max(block.size / 4, 2);
    shared in_rows: u32x4[ROWS];
    shared out_rows: u32x4[ROWS];
    shared splits: u64[SPLITS];
    let (in_, out_) = (ptr<element_of<X>, shared>(address(in_rows[0])), ptr<element_of<X>, shared>(address(out_rows[0])));
    let tile = block.size * items;
    unroll(1) for (at in (first..last).step(u64((SPLITS - 1) * tile))) {
        let stop = min(at + u64((SPLITS - 1) * tile), last);
        block.sync();
        __find_splits(x, y, shift, splits, origin, n, run, pair, at, stop, u64(tile), less);
        block.sync();
        var base = origin + (at - origin) / pair * pair;
        unroll(1) for (k in 0..SPLITS) {
            let lo = at + u64(k * tile);
            var (middle, count) = (0u32, 0u32);
            if (lo < stop) {
                if (lo >= base + pair) base += pair;
                count = u32(min(stop - lo, u64(tile)));
                let start = lo == base ? 0u64 : splits[k];
                middle = u32(splits[k + 1] - start);
                __start_tile(in_, x, base + start, middle, y, min(base + run, n) - shift + (lo - base - start), count);
            }
            if (k > 0) __put_tile(to, lo - u64(tile), out_, u32(min(stop - (lo - u64(tile)), u64(tile))));
            if (lo >= stop) break;
            pipeline.wait();
            block.sync();
            let own = thread.rank * items;
            if (own < count) __merge_in_tile(in_, out_, 0, middle, count, own, min(items, count - own), less);
            block.sync();
        }
    }
}
