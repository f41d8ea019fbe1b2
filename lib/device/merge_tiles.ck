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
// Between blocks a warp searches, with 32 places a round; within a tile each thread does, for its own
// elements. The tile holds the part of A and behind it the part of B.

// Elements a thread, an odd number: elements that are N apart lie in different banks of shared memory.
fn __merge_items<T: type>() -> u32 =
    sizeof<T> <= 4 ? 17 : sizeof<T> <= 8 ? 9 : sizeof<T> <= 12 ? 7 : sizeof<T> <= 16 ? 5 : sizeof<T> <= 32 ? 3 : 1;
// Threads of a block that sorts a tile; of one that merges.
fn __sort_threads<T: type>() -> u32 = sizeof<T> <= 8 ? 512 : sizeof<T> <= 64 ? 256 : sizeof<T> <= 256 ? 64 : 32;
fn __merge_threads<T: type>() -> u32 = min(__sort_threads<T>(), 256);

// Of the first d elements of the merge of A, from x[a] on, and B, from x[b] on, those that come from
// A, which are low to high. By a warp.
fn __split_by_warp<X: type, F: fn>(x: X, a: u64, b: u64, d: u64, low: u64, high: u64, less: F) -> u64 {
    var (lo, hi) = (__assume_warp(low), __assume_warp(high));
    while (lo < hi) {
        let step = (hi - lo + 31) / 32;
        let m = lo + u64(warp.lane + 1) * step - 1;
        var is_before = false;
        if (m < hi) is_before = !__is_less(less(x[b + (d - 1 - m)], x[a + m]));
        lo += u64(popcount(warp.ballot(is_before))) * step;
        hi = min(hi, lo + step - 1);
    }
    return lo;
}

// Elements `at` to at + count - 1 of what the thread merges: A is in[a] to in[a_end - 1], B is in[b] to
// in[b_end - 1].
fn __merge_serially<T: type, F: fn>(in_: ptr<T, shared>, out_: ptr<T, shared>, a: u32, a_end: u32, b: u32, b_end: u32, at: u32, count: u32, less: F) {
    let last = b_end - 1;
    var (i, j) = (a, b);
    var (left, right) = (in_[min(i, last)], in_[min(j, last)]);
    unroll(1) for (k in at..at + count) {
        let is_right = j < b_end && (i >= a_end || __is_less(less(right, left)));
        out_[k] = is_right ? right : left;
        if (is_right) j += 1;
        else i += 1;
        let next = in_[min(is_right ? j : i, last)];
        if (is_right) right = next;
        else left = next;
    }
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

// Starts to copy x[a] and on, then x[b] and on, to the tile. pipeline.wait() and block.sync() follow.
fn __start_tile<T: type>(tile: ptr<T, shared>, x: ptr<T, global>, a: u64, a_count: u32, b: u64, count: u32) {
    const BYTES: u32 = sizeof<T>;
    let (left, right) = (x + a, x + b - a_count);
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
// The same of an iterator, from element `at` on.
fn __start_tile<T: type, I: type>(tile: ptr<T, shared>, it: I, at: u64, count: u32) {
    var i = thread.rank;
    while (i + 3 * block.size < count) {
        var v: T[4];
        unroll for (k in 0u32..4) v[k] = it[at + u64(i + k * block.size)];
        unroll for (k in 0u32..4) tile[i + k * block.size] = v[k];
        i += 4 * block.size;
    }
    unroll(1) for (k in (i..count).step(block.size)) tile[k] = it[at + u64(k)];
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
fn __put_tile<T: type, O: type>(to: O, at: u64, tile: ptr<T, shared>, count: u32) {
    unroll(1) for (i in block.stride(count)) to[at + u64(i)] = tile[i];
}
