// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// warp/scan.ck - prefix sums and reductions of a warp or tile, with any associative function.
//
// warp.inclusive_scan(v, f), warp.exclusive_scan(v, f), with `init = value` before the first;
// warp.inclusive_scan_total, warp.exclusive_scan_total: also the total, as (scan, total);
// warp.reduce(v, f). With `valid = n` of the first n values alone, as warp.sum(v), min and max.
// All of warp.tile<G> too.
//
//   shape         a warp or G lanes of one, in any block
//   arrangement   a value a lane, or an array of them (blocked); sum, min, max: a number a lane
//   f             associative, on any type; need not be commutative
//   called by     all lanes of the group; init and n are the same in all of them, n is 1 or more
//   result        scan: value i is f of values 0 to i (inclusive), or of init and values 0 to i - 1
//                 (exclusive). Without init the first one of exclusive_scan is zero. Values from n
//                 on are unspecified. The total, in all lanes, is f of all values, without init.
//                 reduce, sum, min, max: in all lanes
//   shared bytes  none
//   steps         scan: log2(lanes) shuffles of each 32 bits, one more for exclusive and for arrays (of
//                 sums of integers none), one for the total. reduce: + min max & | ^ of numbers as
//                 warp.ck says, with valid one shuffle more; else log2(lanes) + 1 shuffles
//   target        any
//   CUB           WarpReduce::Sum(v), Sum(items)                  warp.reduce(v, +)
//                     numbers: warp.sum(v)
//                 ::Sum(v, valid)                                 warp.sum(v, valid = n)
//                 ::Max(v), Max(v, valid)                         warp.max(v); warp.max(v, valid = n)
//                 ::Min(v), Min(v, valid)                         warp.min(v); warp.min(v, valid = n)
//                 ::Reduce(v, f), Reduce(items, f)                warp.reduce(v, f)
//                 ::Reduce(v, f, valid)                           warp.reduce(v, f, valid = n)
//                     of items too
//                 WarpScan::ExclusiveSum(v, out)                  warp.exclusive_scan(v, +)
//                 ::InclusiveSum(v, out)                          warp.inclusive_scan(v, +)
//                 ::ExclusiveSum(v, out, aggregate)               warp.exclusive_scan_total(v, +)
//                 ::InclusiveSum(v, out, aggregate)               warp.inclusive_scan_total(v, +)
//                 ::ExclusiveScan(v, out, f), (v, out, init, f)   warp.exclusive_scan(v, f); warp.exclusive_scan(v, f, init = value)
//                 ::InclusiveScan(v, out, f), (v, out, init, f)   warp.inclusive_scan(v, f); warp.inclusive_scan(v, f, init = value)
//                 ::ExclusiveScan(..., aggregate)                 warp.exclusive_scan_total(v, f)
//                     with init too
//                 ::InclusiveScan(..., aggregate)                 warp.inclusive_scan_total(v, f)
//                     with init too
//                 ::ExclusiveSumPartial(...), ExclusiveScanPartial(...)   warp.exclusive_scan(v, f, valid = n)
//                     with init and total too
//                 ::InclusiveSumPartial(...), InclusiveScanPartial(...)   warp.inclusive_scan(v, f, valid = n)
//                     with init and total too
//                 ::Scan(v, inclusive, exclusive, f), (..., init, f)   warp.inclusive_scan(v, f); warp.exclusive_scan(v, f)
//                     two calls
//                 beyond CUB                                      warp.exclusive_scan(items, f)
//                     scans of arrays
//
//   kernel places(flags: in u32[64], at: out u32[64], counts: out u32[8]) launch(block = 64, grid = 1)
//   {
//       let t = warp.tile<8>;
//       let (before, count) = t.exclusive_scan_total(flags[thread.rank], +);
//       at[thread.rank] = before;
//       if (t.rank == 0) counts[thread.rank / 8] = count;
//   }
//   CALL: places(flags=ones:64)
//   EXPECT: at = arange(64) % 8
//   EXPECT: counts = 8
//   COST: 0 bytes, 0 barriers
//
//   kernel longest(lengths: in u32[32], y: out u32[2]) launch(block = 32, grid = 1)
//   {
//       let most = warp.max(lengths[warp.lane], valid = 10);
//       let product = warp.reduce(lengths[warp.lane] + 1, *, valid = 5);
//       if (warp.lane == 0) (y[0], y[1]) = (most, product);
//   }
//   CALL: longest(lengths=iota:32)
//   EXPECT: y = [9, 120]
//   COST: 0 bytes, 0 barriers

// ---- reductions ----

// The neutral element of +; for floats that is the negative zero.
fn __nothing<T: int>(like: T) -> T = 0;
fn __nothing<T: float>(like: T) -> T = -T(0);
// The value of a lane that takes part. For idempotent functions (min, max, and, or) the other lanes
// repeat the first lane's value, which doesn't change the result.
fn __filled<const OP: u32, const G: u32, T: number>(v: T, valid: u32) -> T {
    let is_valid = __rank_in<G>() < valid;
    comptime if (OP == 0 || OP == 5) {
        return is_valid ? v : __nothing(v);
    } else {
        let first = __shuffle<0>(__lanes<G>(), v, 0, __clamp<G>());
        return is_valid ? v : first;
    }
}
fn __reduce_some<const G: u32, T: type, F: fn>(v: T, f: F, valid: u32) -> T {
    comptime if (__operator(v, f) < 6) return __reduce_by<G>(__filled<__operator(v, f), G>(v, valid), f);
    else return __ordered<G>(v, f, min(valid, __count<G>()));
}
// Arrays: each lane first reduces its own elements.
fn __reduce_items<const G: u32, T: type, const N: u32, F: fn>(v: T[N], f: F, valid: u32) -> T =
    __reduce_some<G>(__fold<false>(v, f, __within(valid, __rank_in<G>() * N, N)), f, ceil_div(valid, N));

fn warp.reduce<T: type, const N: u32, F: fn>(v: T[N], f: F) -> T = __assume_warp(__reduce_by<32>(__total(v, f), f));
fn warp.reduce<T: type, F: fn>(v: T, f: F) -> T = __assume_warp(__reduce_by<32>(v, f));
fn warp.reduce<T: type, const N: u32, F: fn>(v: T[N], f: F, valid: u32) -> T = __assume_warp(__reduce_items<32>(v, f, __some(valid)));
fn warp.reduce<T: type, F: fn>(v: T, f: F, valid: u32) -> T = __assume_warp(__reduce_some<32>(v, f, __some(valid)));
fn warp.sum<T: number>(v: T, valid: u32) -> T = warp.sum(__filled<0, 32>(v, __some(valid)));
fn warp.min<T: number>(v: T, valid: u32) -> T = warp.min(__filled<1, 32>(v, __some(valid)));
fn warp.max<T: number>(v: T, valid: u32) -> T = warp.max(__filled<2, 32>(v, __some(valid)));

fn warp.tile.reduce<const G: u32, T: type, const N: u32, F: fn>(v: T[N], f: F) -> T = __assume_tile(G, __reduce_by<G>(__total(v, f), f));
fn warp.tile.reduce<const G: u32, T: type, F: fn>(v: T, f: F) -> T = __assume_tile(G, __reduce_by<G>(v, f));
fn warp.tile.reduce<const G: u32, T: type, const N: u32, F: fn>(v: T[N], f: F, valid: u32) -> T = __assume_tile(G, __reduce_items<G>(v, f, __some(valid)));
fn warp.tile.reduce<const G: u32, T: type, F: fn>(v: T, f: F, valid: u32) -> T = __assume_tile(G, __reduce_some<G>(v, f, __some(valid)));
fn warp.tile.sum<const G: u32, T: number>(v: T, valid: u32) -> T = warp.tile<G>.sum(__filled<0, G>(v, __some(valid)));
fn warp.tile.min<const G: u32, T: number>(v: T, valid: u32) -> T = warp.tile<G>.min(__filled<1, G>(v, __some(valid)));
fn warp.tile.max<const G: u32, T: number>(v: T, valid: u32) -> T = warp.tile<G>.max(__filled<2, G>(v, __some(valid)));

// ---- scans ----

// f of the lanes before this one (unspecified in the first lane). For a sum of integers it is the
// inclusive sum minus the lane's value, 0 in the first lane.
fn __upto_before<const G: u32, T: type, F: fn>(upto: T, v: T, f: F) -> T = __shuffle<1>(__lanes<G>(), upto, 1, (32 - G) << 8);
fn __upto_before<const G: u32, T: int, F: fn>(upto: T, v: T, f: F) -> T {
    comptime if (__operator(v, f) == 0) return T(upto - v);
    else return __shuffle<1>(__lanes<G>(), upto, 1, (32 - G) << 8);
}

// The scan, and f of all values up to and including the lane's.
fn __scan_value<const INCLUSIVE: bool, const G: u32, T: type, F: fn>(v: T, f: F, valid: u32) -> (T, T) {
    let upto = __inclusive<G>(v, f, valid);
    comptime if (INCLUSIVE) {
        return (upto, upto);
    } else {
        let before = __upto_before<G>(upto, v, f);
        var r: T;
        if (__rank_in<G>() > 0) r = before;
        return (r, upto);
    }
}
fn __scan_value<const INCLUSIVE: bool, const G: u32, T: type, F: fn>(v: T, f: F, init: T, valid: u32) -> (T, T) {
    let upto = __inclusive<G>(v, f, valid);
    var r = init;
    comptime if (INCLUSIVE) {
        if (__rank_in<G>() < valid) r = f(init, upto);
    } else {
        let before = __upto_before<G>(upto, v, f);
        if (__rank_in<G>() > 0 && __rank_in<G>() < valid) r = f(init, before);
    }
    return (r, upto);
}

// Scans the first `count` values of a lane, which follow `before` if `has`.
fn __scan_onward<const INCLUSIVE: bool, T: type, const N: u32, F: fn>(v: T[N], f: F, before: T, has: bool, count: u32) -> T[N] {
    var r: T[N];
    var upto = before;
    unroll for (k in 0..N) {
        let old = upto;
        if (k < count) upto = k == 0 && !has ? v[0] : f(upto, v[k]);
        comptime if (INCLUSIVE) r[k] = upto;
        else if (k > 0 || has) r[k] = old;
    }
    return r;
}
fn __scan_items<const INCLUSIVE: bool, const G: u32, T: type, const N: u32, F: fn>(v: T[N], f: F, valid: u32) -> (T[N], T) {
    let count = __within(valid, __rank_in<G>() * N, N);
    let (before, upto) = __scan_value<false, G>(__fold<false>(v, f, count), f, ceil_div(valid, N));
    return (__scan_onward<INCLUSIVE>(v, f, before, __rank_in<G>() > 0, count), upto);
}
fn __scan_items<const INCLUSIVE: bool, const G: u32, T: type, const N: u32, F: fn>(v: T[N], f: F, init: T, valid: u32) -> (T[N], T) {
    let count = __within(valid, __rank_in<G>() * N, N);
    let (before, upto) = __scan_value<false, G>(__fold<false>(v, f, count), f, init, ceil_div(valid, N));
    return (__scan_onward<INCLUSIVE>(v, f, before, true, count), upto);
}
// The value of the last lane that takes part.
fn __with_total<const G: u32, S: type, T: type>(scan: (S, T), valid: u32, items: u32) -> (S, T) {
    let last = min(ceil_div(valid, items), __count<G>()) - 1;
    return (scan[0], __assume_tile(G, __shuffle<0>(__lanes<G>(), scan[1], last, __clamp<G>())));
}

fn warp.inclusive_scan<T: type, const N: u32, F: fn>(v: T[N], f: F, init: T, valid: u32 = ~0u32) -> T[N] = __scan_items<true, 32>(v, f, init, __some(valid))[0];
fn warp.inclusive_scan<T: type, const N: u32, F: fn>(v: T[N], f: F, valid: u32 = ~0u32) -> T[N] = __scan_items<true, 32>(v, f, __some(valid))[0];
fn warp.inclusive_scan<T: type, F: fn>(v: T, f: F, init: T, valid: u32 = ~0u32) -> T = __scan_value<true, 32>(v, f, init, __some(valid))[0];
fn warp.inclusive_scan<T: type, F: fn>(v: T, f: F, valid: u32 = ~0u32) -> T = __scan_value<true, 32>(v, f, __some(valid))[0];
fn warp.inclusive_scan_total<T: type, const N: u32, F: fn>(v: T[N], f: F, init: T, valid: u32 = ~0u32) -> (T[N], T) = __with_total<32>(__scan_items<true, 32>(v, f, init, __some(valid)), valid, N);
fn warp.inclusive_scan_total<T: type, const N: u32, F: fn>(v: T[N], f: F, valid: u32 = ~0u32) -> (T[N], T) = __with_total<32>(__scan_items<true, 32>(v, f, __some(valid)), valid, N);
fn warp.inclusive_scan_total<T: type, F: fn>(v: T, f: F, init: T, valid: u32 = ~0u32) -> (T, T) = __with_total<32>(__scan_value<true, 32>(v, f, init, __some(valid)), valid, 1);
fn warp.inclusive_scan_total<T: type, F: fn>(v: T, f: F, valid: u32 = ~0u32) -> (T, T) = __with_total<32>(__scan_value<true, 32>(v, f, __some(valid)), valid, 1);
fn warp.exclusive_scan<T: type, const N: u32, F: fn>(v: T[N], f: F, init: T, valid: u32 = ~0u32) -> T[N] = __scan_items<false, 32>(v, f, init, __some(valid))[0];
fn warp.exclusive_scan<T: type, const N: u32, F: fn>(v: T[N], f: F, valid: u32 = ~0u32) -> T[N] = __scan_items<false, 32>(v, f, __some(valid))[0];
fn warp.exclusive_scan<T: type, F: fn>(v: T, f: F, init: T, valid: u32 = ~0u32) -> T = __scan_value<false, 32>(v, f, init, __some(valid))[0];
fn warp.exclusive_scan<T: type, F: fn>(v: T, f: F, valid: u32 = ~0u32) -> T = __scan_value<false, 32>(v, f, __some(valid))[0];
fn warp.exclusive_scan_total<T: type, const N: u32, F: fn>(v: T[N], f: F, init: T, valid: u32 = ~0u32) -> (T[N], T) = __with_total<32>(__scan_items<false, 32>(v, f, init, __some(valid)), valid, N);
fn warp.exclusive_scan_total<T: type, const N: u32, F: fn>(v: T[N], f: F, valid: u32 = ~0u32) -> (T[N], T) = __with_total<32>(__scan_items<false, 32>(v, f, __some(valid)), valid, N);
fn warp.exclusive_scan_total<T: type, F: fn>(v: T, f: F, init: T, valid: u32 = ~0u32) -> (T, T) = __with_total<32>(__scan_value<false, 32>(v, f, init, __some(valid)), valid, 1);
fn warp.exclusive_scan_total<T: type, F: fn>(v: T, f: F, valid: u32 = ~0u32) -> (T, T) = __with_total<32>(__scan_value<false, 32>(v, f, __some(valid)), valid, 1);

fn warp.tile.inclusive_scan<const G: u32, T: type, const N: u32, F: fn>(v: T[N], f: F, init: T, valid: u32 = ~0u32) -> T[N] = __scan_items<true, G>(v, f, init, __some(valid))[0];
fn warp.tile.inclusive_scan<const G: u32, T: type, const N: u32, F: fn>(v: T[N], f: F, valid: u32 = ~0u32) -> T[N] = __scan_items<true, G>(v, f, __some(valid))[0];
fn warp.tile.inclusive_scan<const G: u32, T: type, F: fn>(v: T, f: F, init: T, valid: u32 = ~0u32) -> T = __scan_value<true, G>(v, f, init, __some(valid))[0];
fn warp.tile.inclusive_scan<const G: u32, T: type, F: fn>(v: T, f: F, valid: u32 = ~0u32) -> T = __scan_value<true, G>(v, f, __some(valid))[0];
fn warp.tile.inclusive_scan_total<const G: u32, T: type, const N: u32, F: fn>(v: T[N], f: F, init: T, valid: u32 = ~0u32) -> (T[N], T) = __with_total<G>(__scan_items<true, G>(v, f, init, __some(valid)), valid, N);
fn warp.tile.inclusive_scan_total<const G: u32, T: type, const N: u32, F: fn>(v: T[N], f: F, valid: u32 = ~0u32) -> (T[N], T) = __with_total<G>(__scan_items<true, G>(v, f, __some(valid)), valid, N);
fn warp.tile.inclusive_scan_total<const G: u32, T: type, F: fn>(v: T, f: F, init: T, valid: u32 = ~0u32) -> (T, T) = __with_total<G>(__scan_value<true, G>(v, f, init, __some(valid)), valid, 1);
fn warp.tile.inclusive_scan_total<const G: u32, T: type, F: fn>(v: T, f: F, valid: u32 = ~0u32) -> (T, T) = __with_total<G>(__scan_value<true, G>(v, f, __some(valid)), valid, 1);
fn warp.tile.exclusive_scan<const G: u32, T: type, const N: u32, F: fn>(v: T[N], f: F, init: T, valid: u32 = ~0u32) -> T[N] = __scan_items<false, G>(v, f, init, __some(valid))[0];
fn warp.tile.exclusive_scan<const G: u32, T: type, const N: u32, F: fn>(v: T[N], f: F, valid: u32 = ~0u32) -> T[N] = __scan_items<false, G>(v, f, __some(valid))[0];
fn warp.tile.exclusive_scan<const G: u32, T: type, F: fn>(v: T, f: F, init: T, valid: u32 = ~0u32) -> T = __scan_value<false, G>(v, f, init, __some(valid))[0];
fn warp.tile.exclusive_scan<const G: u32, T: type, F: fn>(v: T, f: F, valid: u32 = ~0u32) -> T = __scan_value<false, G>(v, f, __some(valid))[0];
fn warp.tile.exclusive_scan_total<const G: u32, T: type, const N: u32, F: fn>(v: T[N], f: F, init: T, valid: u32 = ~0u32) -> (T[N], T) = __with_total<G>(__scan_items<false, G>(v, f, init, __some(valid)), valid, N);
fn warp.tile.exclusive_scan_total<const G: u32, T: type, const N: u32, F: fn>(v: T[N], f: F, valid: u32 = ~0u32) -> (T[N], T) = __with_total<G>(__scan_items<false, G>(v, f, __some(valid)), valid, N);
fn warp.tile.exclusive_scan_total<const G: u32, T: type, F: fn>(v: T, f: F, init: T, valid: u32 = ~0u32) -> (T, T) = __with_total<G>(__scan_value<false, G>(v, f, init, __some(valid)), valid, 1);
fn warp.tile.exclusive_scan_total<const G: u32, T: type, F: fn>(v: T, f: F, valid: u32 = ~0u32) -> (T, T) = __with_total<G>(__scan_value<false, G>(v, f, __some(valid)), valid, 1);
