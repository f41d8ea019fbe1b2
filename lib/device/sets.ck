// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/sets.ck - unions, intersections and differences of two sorted sequences, by one launch of a
// kernel.
//
// In an algorithm:
//   set_union(a, b, to, less)                  each element of a, and what b has more often
//   set_intersection(a, b, to, less)           elements of a that b has as well
//   set_difference(a, b, to, less)             what a has more often than b
//   set_symmetric_difference(a, b, to, less)   what one has more often than the other
//
//   a, b, to      iterators; a and b are finite, sorted by less and of one type; `to` has room for what
//                 comes to it
//   overlap       a and b: allowed
//                 a, b or less and to: rejected
//   less          less(a, b): a comes before b; a strict weak order. Operator: <
//   result        how many elements were written, sorted. If equal elements are m times in a and n times
//                 in b, the first min(m, n) of each are pairs, which a union and an intersection take
//                 from a; m - n of a or n - m of b have no partner: they are the last ones
//   launches      1
//   scratch       two words of persistent memory for each tile
//   steps         a block takes a tile of the merged sequences, whose ends don't lie between partners,
//                 counts what it keeps, puts it in order in shared memory, and looks back over the counts
//                 of the tiles before
//   target        any
//   CUB           beyond CUB   set_union(a, b, to, less), set_intersection, set_difference, set_symmetric_difference
//   Thrust        set_union, set_union_by_key, set_intersection, ...   set_union(zip(x, v), zip(y, w), zip(z, u), |a, b| less(a[0], b[0]))
//
//   algorithm common(n: u64, m: u64, x: in i32[n], y: in i32[m], z: out i32[n]) -> u64 = set_intersection(x, y, z, <);
//   CALL: common(x=[1, 5, 5, 7], y=[2, 5, 5, 5, 7], z=zeros:4)
//   EXPECT: result = 3
//   EXPECT: z = [5, 5, 7, 0]
//
// Balanced path (Baxter, "Modern GPU", 2013): among equal elements the order is a b a b ..., and then
// those without a partner. A split after d elements is found as in a merge, in which those of a come
// first, and moved within the equal ones; if it falls between partners, it moves behind them:
//
//     a   3 5 5 5          merge      3 5 5 5|5 5 9        d = 4
//     b   5 5 9            balanced   3 5 5 5 5|5 9        3 | 5 and its partner | 5, whose partner follows: d + 1

const __ONLY_A: u32 = 1; // what is kept
const __ONLY_B: u32 = 2;
const __PAIRS: u32 = 4;
const __ONLY_ONE: u32 = 3;
const __ALL_KINDS: u32 = 7;

// The place in x[low] to x[high - 1] behind those before `key`; UPPER: behind those equal to it. By a
// warp, or by a thread.
fn __bound_of<const BY_WARP: bool, const UPPER: bool, X: type, J: int, T: type, F: fn>(x: X, low: J, high: J, key: T, less: F) -> J {
    var (lo, hi) = (low, high);
    comptime if (BY_WARP) {
        lo = __assume_warp(lo);
        hi = __assume_warp(hi);
        // equal elements are few in most cases: 32 from the end that they are at
        comptime if (UPPER) {
            if (hi - lo > 32 && __is_less(less(key, x[lo + 32]))) hi = lo + 32;
        } else {
            if (hi - lo > 32 && __is_less(less(x[hi - 33], key))) lo = hi - 32;
        }
    }
    while (lo < hi) {
        let step = BY_WARP ? (hi - lo + 31) / 32 : J(1);
        let m = BY_WARP ? lo + J(warp.lane + 1) * step - 1 : (lo + hi) / 2;
        var is_before = false;
        if (m < hi) {
            comptime if (UPPER) is_before = !__is_less(less(key, x[m]));
            else is_before = __is_less(less(x[m], key));
        }
        comptime if (BY_WARP) {
            lo += J(popcount(warp.ballot(is_before))) * step;
            hi = min(hi, lo + step - 1);
        } else {
            if (is_before) lo = m + 1;
            else hi = m;
        }
    }
    return lo;
}

// Of the first d elements of both, or one more, how many are from each.
fn __split_balanced<const BY_WARP: bool, X: type, Y: type, J: int, F: fn>(x: X, x_len: J, y: Y, y_len: J, d: J, less: F) -> (J, J) {
    var (lo, hi) = (max(d, y_len) - y_len, min(d, x_len));
    comptime if (BY_WARP) {
        lo = J(__split_by_warp(x, y, 0, 0, u64(d), u64(lo), u64(hi), less));
    } else {
        while (lo < hi) {
            let m = (lo + hi) / 2;
            if (__is_less(less(y[d - 1 - m], x[m]))) hi = m;
            else lo = m + 1;
        }
    }
    let (i, j) = (lo, d - lo);
    if (d >= x_len + y_len) return (i, j);
    var is_of_x = i < x_len;
    if (is_of_x && j < y_len) is_of_x = !__is_less(less(y[j], x[i]));
    var key: element_of<X>;
    if (is_of_x) key = x[i];
    else key = y[j];
    let (first_x, first_y) = (__bound_of<BY_WARP, false>(x, 0, i, key, less), __bound_of<BY_WARP, false>(y, 0, j, key, less));
    let done = i - first_x + (j - first_y);
    if (done == 0) return (i, j);
    let equal_y = __bound_of<BY_WARP, true>(y, j, y_len, key, less) - first_y;
    let equal_x = is_of_x ? done + 1 : i - first_x; // at least done + 1
    let pairs = min(equal_x, equal_y);
    if (done < 2 * pairs) return (first_x + (done + 1) / 2, first_y + (done + 1) / 2);
    return equal_x > pairs ? (first_x + (done - pairs), first_y + pairs) : (first_x + pairs, first_y + (done - pairs));
}

// What of x[i] and on and y[j] and on is kept, in order: written to `to`, or only counted.
fn __keep_of<const KEPT: u32, const IS_WRITTEN: bool, X: type, Y: type, O: type, J: int, F: fn>(x: X, y: Y, to: O, i: J, x_end: J, j: J, y_end: J, at: J, less: F) -> J {
    var (p, q, k) = (i, j, at);
    while (p < x_end || q < y_end) {
        var (takes_x, takes_y) = (p < x_end, q < y_end);
        if (takes_x && takes_y) {
            let (a, b) = (x[p], y[q]);
            if (__is_less(less(a, b))) takes_y = false;
            else if (__is_less(less(b, a))) takes_x = false;
        }
        let kind = takes_x ? takes_y ? __PAIRS : __ONLY_A : __ONLY_B;
        if ((kind & KEPT) != 0) {
            comptime if (IS_WRITTEN) {
                if (takes_x) to[k] = x[p];
                else to[k] = y[q];
            }
            k += 1;
        }
        p += J(takes_x);
        q += J(takes_y);
    }
    return k;
}

fn __set_tiles<const KEPT: u32, const N: u32, A: type, B: type, O: type, F: fn>(a: A, b: B, to: O, less: F, words: inout u64[], kept: out u64[]) {
    const TILE = N * block.size;
    const ROWS = ((TILE + 1) * (u32(sizeof<element_of<A>>)) + 15) / 16;
    shared in_rows: u32x4[ROWS];
    shared out_rows: u32x4[ROWS];
    shared splits: u64[2, 2];
    shared starts: u32[block.size + 1];
    shared ahead: u64[1];
    let (x, y) = (__memory_of(a), __memory_of(b));
    let (in_, out_) = (ptr<element_of<A>, shared>(address(in_rows[0])), ptr<element_of<A>, shared>(address(out_rows[0])));
    let (a_len, b_len) = (a.len, b.len);
    let n = a_len + b_len;
    let tile = u64(block.id.x);
    let start = tile * u64(TILE);
    if (start >= n && tile > 0) return;
    let tag = warp.rank == 0 ? __epoch_tag() : 0;
    if (warp.rank < 2) {
        let (i, j) = __split_balanced<true>(x, a_len, y, b_len, min(start + u64(warp.rank * TILE), n), less);
        if (warp.lane == 0) (splits[warp.rank, 0], splits[warp.rank, 1]) = (i, j);
    }
    block.sync();
    let (first_a, first_b) = (__assume_block(splits[0, 0]), __assume_block(splits[0, 1]));
    let middle = u32(__assume_block(splits[1, 0]) - first_a);
    let count = middle + u32(__assume_block(splits[1, 1]) - first_b);
    __start_tile(in_, x, first_a, middle, y, first_b, count);
    pipeline.wait();
    block.sync();
    let right = in_ + middle;
    let (i, j) = __split_balanced<false>(in_, middle, right, count - middle, min(thread.rank * N, count), less);
    starts[thread.rank] = i << 16 | j;
    if (thread.rank == 0) starts[block.size] = middle << 16 | count - middle;
    block.sync();
    let end = starts[thread.rank + 1];
    let own = __keep_of<KEPT, false>(in_, right, out_, i, end >> 16, j, end & 0xffff, 0, less);
    let (at, total) = block.exclusive_scan_total(own, +);
    __keep_of<KEPT, true>(in_, right, out_, i, end >> 16, j, end & 0xffff, at, less);
    if (warp.rank == 0) {
        let is_last = start + u64(TILE) >= n;
        if (warp.lane == 0 && !is_last) __put_state(words, tile, [u64(total)], tag | (tile == 0 ? __PREFIX : __PARTIAL));
        let before = __counts_before<1>(words, tile, tag, 0u64)[0];
        if (warp.lane == 0) {
            ahead[0] = before;
            if (is_last) {
                kept[0] = before + u64(total);
                __end_epoch(tag);
            } else if (tile > 0) {
                __put_state(words, tile, [before + u64(total)], tag | __PREFIX);
            }
        }
    }
    block.sync();
    __put_tile(__memory_of(to), __assume_block(ahead[0]), out_, total);
}
fn __set_serial<const KEPT: u32, A: type, B: type, O: type, F: fn>(a: A, b: B, to: O, less: F, kept: out u64[]) {
    kept[0] = __keep_of<KEPT, true>(a, b, to, 0u64, a.len, 0u64, b.len, 0u64, less);
}

algorithm device.__set_of<const KEPT: u32, A: type, B: type, O: type, F: fn>(a: A, b: B, to: O, less: F) -> u64 {
    scratch result kept: u64[1];
    let (n, m) = (__finite(__most(a)), __finite(__most(b)));
    const N: u32 = __merge_items<element_of<A>>();
    const THREADS: u32 = __merge_threads<element_of<A>>();
    let tiles = max(ceil_div(n + m, u64(N * THREADS)), 1);
    comptime if (__is_serial()) {
        launch __set_serial<KEPT>(block = 1, grid = 1, a, b, to, less, kept);
    } else {
        scratch persistent words: u64[2 * tiles];
        launch __set_tiles<KEPT, N>(block = THREADS, grid = tiles, a, b, to, less, words, kept);
    }
    return kept[0];
}
// An iterator of the same elements: spans of one parameter count as overlapping as well then.
fn __all_of<I: type>(it: I) = take(it, __finite(__most(it)));
algorithm device.__set_union<A: type, B: type, O: type, F: fn>(a: A, b: B, less: F, to: O) { __apart(a, b, less, to); }
algorithm device.set_union<A: type, B: type, O: type, F: fn>(a: A, b: B, to: O, less: F) -> u64 {
    device.__set_union(__all_of(a), __all_of(b), less, to);
    return device.__set_of<__ALL_KINDS>(a, b, to, less);
}
algorithm device.__set_intersection<A: type, B: type, O: type, F: fn>(a: A, b: B, less: F, to: O) { __apart(a, b, less, to); }
algorithm device.set_intersection<A: type, B: type, O: type, F: fn>(a: A, b: B, to: O, less: F) -> u64 {
    device.__set_intersection(__all_of(a), __all_of(b), less, to);
    return device.__set_of<__PAIRS>(a, b, to, less);
}
algorithm device.__set_difference<A: type, B: type, O: type, F: fn>(a: A, b: B, less: F, to: O) { __apart(a, b, less, to); }
algorithm device.set_difference<A: type, B: type, O: type, F: fn>(a: A, b: B, to: O, less: F) -> u64 {
    device.__set_difference(__all_of(a), __all_of(b), less, to);
    return device.__set_of<__ONLY_A>(a, b, to, less);
}
algorithm device.__set_symmetric_difference<A: type, B: type, O: type, F: fn>(a: A, b: B, less: F, to: O) { __apart(a, b, less, to); }
algorithm device.set_symmetric_difference<A: type, B: type, O: type, F: fn>(a: A, b: B, to: O, less: F) -> u64 {
    device.__set_symmetric_difference(__all_of(a), __all_of(b), less, to);
    return device.__set_of<__ONLY_ONE>(a, b, to, less);
}
