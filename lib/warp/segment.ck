// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// warp/segment.ck - segmented reductions and scans of a warp or tile: each run of lanes on its own.
//
// warp.segmented_reduce(v, heads, f), warp.segmented_reduce(v, f, tails = flag);
// warp.segmented_inclusive_scan(v, heads, f), warp.segmented_exclusive_scan(v, heads, f), with
// `init = value` before the first of each segment. All of warp.tile<G> too.
//
//   shape         a warp or G lanes of one, in any block
//   arrangement   a value and a flag a lane
//   heads         true in the first lane of a segment; the group's first lane always starts a
//                 segment
//   tails         true in the last lane of a segment; the group's last lane always ends a segment
//   f             associative, on any type; need not be commutative
//   called by     all lanes of the group
//   result        segmented_reduce: in the first lane of each segment, f of its values; in others f
//                 of the lane's value and of those after it in the segment. Scans: f of the
//                 segment's values up to and including the lane's own (inclusive), or of init and
//                 those before it (exclusive). Without init the first value of a segment in
//                 exclusive_scan is zero
//   shared bytes  none
//   steps         a vote and log2(lanes) shuffles of each 32 bits; exclusive scans one more
//   target        any
//   CUB           WarpReduce::HeadSegmentedReduce(v, head, f)   warp.segmented_reduce(v, heads, f)
//                 ::HeadSegmentedSum(v, head)                   warp.segmented_reduce(v, heads, +)
//                 ::TailSegmentedReduce(v, tail, f)             warp.segmented_reduce(v, f, tails = flag)
//                 ::TailSegmentedSum(v, tail)                   warp.segmented_reduce(v, +, tails = flag)
//                 beyond CUB                                    warp.segmented_inclusive_scan(v, heads, f)
//                 beyond CUB                                    warp.segmented_exclusive_scan(v, heads, f)
//
//   kernel sums(keys: in u32[32], x: in u32[32], y: out u32[32]) launch(block = 32, grid = 1)
//   {
//       let starts = warp.shuffle_up(keys[warp.lane], 1) != keys[warp.lane];
//       let sum = warp.segmented_reduce(x[warp.lane], starts, +);
//       y[warp.lane] = starts || warp.lane == 0 ? sum : 0;
//   }
//   CALL: sums(keys=arange(32) // 8, x=iota:32)
//   EXPECT: y = where(x % 8 == 0, 8 * x + 28, 0)
//   COST: 0 bytes, 0 barriers

// The lanes of the group whose flag is set; bit i is lane i of the group.
fn __segment_flags<const G: u32>(flag: bool) -> u32 = __voted<G>(flag) >> __base<G>();

// ends: the mask of the last lanes of segments.
fn __segmented_reduce<const G: u32, T: type, F: fn>(v: T, f: F, ends: u32) -> T {
    var r = v;
    let rank = __rank_in<G>();
    let last = min(rank + ctz(ends >> rank), __count<G>() - 1);
    var d = 1u32;
    while (d < G) {
        let other = __shuffle<2>(__lanes<G>(), r, d, __clamp<G>());
        if (rank + d <= last) r = f(r, other);
        d *= 2;
    }
    return r;
}
// heads: the mask of the first lanes of segments.
fn __segment_first<const G: u32>(heads: u32) -> u32 = 31 - clz(heads & (~0u32 >> (31 - __rank_in<G>())) | 1);
fn __scan_segment<const G: u32, T: type, F: fn>(v: T, f: F, first: u32) -> T {
    var r = v;
    let rank = __rank_in<G>();
    var d = 1u32;
    while (d < G) {
        let other = __shuffle<1>(__lanes<G>(), r, d, (32 - G) << 8);
        if (rank >= first + d) r = f(other, r);
        d *= 2;
    }
    return r;
}
fn __segmented_scan<const INCLUSIVE: bool, const G: u32, T: type, F: fn>(v: T, heads: bool, f: F) -> T {
    let first = __segment_first<G>(__segment_flags<G>(heads));
    let upto = __scan_segment<G>(v, f, first);
    comptime if (INCLUSIVE) {
        return upto;
    } else {
        let before = __shuffle<1>(__lanes<G>(), upto, 1, (32 - G) << 8);
        var r: T;
        if (__rank_in<G>() > first) r = before;
        return r;
    }
}
fn __segmented_scan<const INCLUSIVE: bool, const G: u32, T: type, F: fn>(v: T, heads: bool, f: F, init: T) -> T {
    let first = __segment_first<G>(__segment_flags<G>(heads));
    let upto = __scan_segment<G>(v, f, first);
    comptime if (INCLUSIVE) {
        return f(init, upto);
    } else {
        let before = __shuffle<1>(__lanes<G>(), upto, 1, (32 - G) << 8);
        return __rank_in<G>() > first ? f(init, before) : init;
    }
}

fn warp.segmented_reduce<T: type, F: fn>(v: T, heads: bool, f: F) -> T = __segmented_reduce<32>(v, f, __segment_flags<32>(heads) >> 1);
fn warp.segmented_reduce<T: type, F: fn>(v: T, f: F, tails: bool) -> T = __segmented_reduce<32>(v, f, __segment_flags<32>(tails));
fn warp.segmented_inclusive_scan<T: type, F: fn>(v: T, heads: bool, f: F) -> T = __segmented_scan<true, 32>(v, heads, f);
fn warp.segmented_inclusive_scan<T: type, F: fn>(v: T, heads: bool, f: F, init: T) -> T = __segmented_scan<true, 32>(v, heads, f, init);
fn warp.segmented_exclusive_scan<T: type, F: fn>(v: T, heads: bool, f: F) -> T = __segmented_scan<false, 32>(v, heads, f);
fn warp.segmented_exclusive_scan<T: type, F: fn>(v: T, heads: bool, f: F, init: T) -> T = __segmented_scan<false, 32>(v, heads, f, init);

fn warp.tile.segmented_reduce<const G: u32, T: type, F: fn>(v: T, heads: bool, f: F) -> T = __segmented_reduce<G>(v, f, __segment_flags<G>(heads) >> 1);
fn warp.tile.segmented_reduce<const G: u32, T: type, F: fn>(v: T, f: F, tails: bool) -> T = __segmented_reduce<G>(v, f, __segment_flags<G>(tails));
fn warp.tile.segmented_inclusive_scan<const G: u32, T: type, F: fn>(v: T, heads: bool, f: F) -> T = __segmented_scan<true, G>(v, heads, f);
fn warp.tile.segmented_inclusive_scan<const G: u32, T: type, F: fn>(v: T, heads: bool, f: F, init: T) -> T = __segmented_scan<true, G>(v, heads, f, init);
fn warp.tile.segmented_exclusive_scan<const G: u32, T: type, F: fn>(v: T, heads: bool, f: F) -> T = __segmented_scan<false, G>(v, heads, f);
fn warp.tile.segmented_exclusive_scan<const G: u32, T: type, F: fn>(v: T, heads: bool, f: F, init: T) -> T = __segmented_scan<false, G>(v, heads, f, init);
