// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block/scan.ck - prefix sums over a block, inclusive or exclusive, with any associative function.
//
// block.inclusive_scan(v, f), block.exclusive_scan(v, f), with `init = value` before the first, or
// `prefix = function`, which gets the block's total and returns the prefix of the whole block.
// block.inclusive_scan_total, block.exclusive_scan_total: also the total, as (scan, total); with
// `init = value`.
//
//   shape         any block of constant size, 1 to 1024 threads in 1 to 3 dimensions
//   arrangement   a value a thread, in the order of thread.rank, or an array of them (blocked)
//   f             associative, on any type; need not be commutative
//   called by     all threads of the block; init is the same in all of them
//   result        value i is f of values 0 to i (inclusive), or of init and values 0 to i - 1
//                 (exclusive). Without init the first one of exclusive_scan is zero. The total, in
//                 all threads, is f of all values, without init and prefix
//   prefix        called by all threads of the first warp, with the total; the result of lane 0 is
//                 used
//   algorithms    warp_scans       shuffles in each warp, then across warps
//                 raking           through shared memory, one warp scans
//                 raking_memoize   raking; the warp keeps the values that it has read in registers
//                 Default: raking for more than 8 bytes, if there are 5 to 8 warps, or more with
//                 one value per thread; else warp_scans
//   shared bytes  warp_scans: sizeof<T> a warp, none in blocks of one; raking: of W warps 32 * (W + 1)
//                 + 1 values, of one 33; prefix: a value more
//   steps         warp_scans: 5 shuffles (6 unless it's a sum of integers), one barrier, then a
//                 step for each warp; with more than 8 warps two barriers and a scan by one warp;
//                 blocks of one warp have no barrier. raking: two barriers. prefix: a barrier more
//   target        any
//   CUB           BlockScan::ExclusiveSum(v, out)         block.exclusive_scan(v, +)
//                 ::InclusiveSum(v, out)                  block.inclusive_scan(v, +)
//                 ::ExclusiveScan(v, out, f)              block.exclusive_scan(v, f)
//                 ::ExclusiveScan(v, out, init, f)        block.exclusive_scan(v, f, init = value)
//                 ::InclusiveScan(v, out, f)              block.inclusive_scan(v, f)
//                 ::InclusiveScan(v, out, init, f)        block.inclusive_scan(v, f, init = value)
//                 ::ExclusiveScan(..., aggregate)         block.exclusive_scan_total(v, f)
//                     with init too; sums as well
//                 ::InclusiveScan(..., aggregate)         block.inclusive_scan_total(v, f)
//                     with init too; sums as well
//                 ::ExclusiveScan(..., prefix_callback)   block.exclusive_scan(v, f, prefix = function)
//                     sums as well
//                 ::InclusiveScan(..., prefix_callback)   block.inclusive_scan(v, f, prefix = function)
//                     sums as well
//                 each with items[N]                      block.exclusive_scan(items, f)
//                     without init or prefix as well
//                 BLOCK_SCAN_RAKING                       block.exclusive_scan<raking>(v, f)
//                 BLOCK_SCAN_RAKING_MEMOIZE               block.exclusive_scan<raking_memoize>(v, f)
//                 BLOCK_SCAN_WARP_SCANS                   block.exclusive_scan<warp_scans>(v, f)
//
//   kernel offsets(lengths: in u32[200], at: out u32[200], total: out u32[1]) launch(block = 200, grid = 1)
//   {
//       let (before, all) = block.exclusive_scan_total(lengths[thread.rank], +);
//       at[thread.rank] = before;
//       if (thread.rank == 0) total[0] = all;
//   }
//   CALL: offsets(lengths=iota:200)
//   EXPECT: at = lengths * (lengths - 1) // 2
//   EXPECT: total = 19900
//   COST: 1040 bytes, 2 barriers

// f(a, b), or `only` if the other one doesn't exist.
fn __join<T: type, F: fn>(is_alone: bool, only: T, a: T, b: T, f: F) -> T = is_alone ? only : f(a, b);
fn __join<T: int, F: fn>(is_alone: bool, only: T, a: T, b: T, f: F) -> T {
    comptime if (__operator(a, f) == 0) return T(a + b);
    else return is_alone ? only : f(a, b);
}

// The number of the first warp's lanes that scan. With an operator all lanes do, since the extra
// results are harmless; a program's function is called only for values that exist.
fn __scanners<T: type, F: fn>(like: T, f: F, lanes: u32) -> u32 = __operator(like, f) < 6 ? __count<32>() : lanes;

// f of the values of the threads before this one, and of all. In the first thread the former is
// unspecified, or 0 for a sum of integers.
fn __scan_by_warps<T: type, F: fn>(v: T, f: F) -> (T, T) {
    const WARPS = (block.size + 31) / 32;
    let upto = warp.inclusive_scan(v, f);
    let last = min(block.size, (thread.rank | 31) + 1) - 1;
    var before = __upto_before<32>(upto, v, f);
    comptime if (WARPS == 1) {
        return (before, warp.shuffle(upto, last));
    } else {
        shared part: T[WARPS];
        if (thread.rank == last) part[warp.rank] = upto;
        block.sync();
        comptime if (WARPS <= 8) {
            var total = part[0];
            var outside = total;
            unroll for (w in 1..WARPS) {
                if (warp.rank == w) outside = total;
                total = f(total, part[w]);
            }
            if (warp.rank > 0) before = __join(warp.lane == 0, outside, outside, before, f);
            return (before, total);
        // only the first warp scans: 32 warps that repeat the same scan are slower than a barrier
        } else {
            if (warp.rank == 0) {
                var mine = v; // unused beyond the last warp; reading `part` there would be a race
                if (warp.lane < WARPS) mine = part[warp.lane];
                let parts = __inclusive<32, true, WARPS>(mine, f, __scanners(v, f, WARPS));
                if (warp.lane < WARPS) part[warp.lane] = parts;
            }
            block.sync();
            if (warp.rank > 0) {
                let outside = part[warp.rank - 1];
                before = __join(warp.lane == 0, outside, outside, before, f);
            }
            return (before, part[WARPS - 1]);
        }
    }
}

// Lane l of the first warp scans L consecutive values; padded as in reduce.ck.
fn __scan_raking<const KEEP: bool, const TOTAL: bool, T: type, F: fn>(v: T, f: F) -> (T, T) {
    const L = (block.size + 31) / 32;
    const PAD: u32 = L > 1 ? 1 : 0;
    shared slots: T[32 * (L + PAD) + 1];
    let slot = thread.rank + thread.rank / L * PAD;
    slots[slot] = v;
    block.sync();
    if (warp.rank == 0) {
        let first = warp.lane * L;
        // row[k] then needs no address computation
        let row = ptr<T, shared>(address(slots[warp.lane * (L + PAD)]));
        let here = block.size % 32 == 0 ? L : block.size > first ? min(block.size - first, L) : 0;
        var mine: T[L];
        var all = v;
        if (here > 0) {
            mine[0] = row[0];
            all = mine[0];
        }
        unroll for (k in 1..L) {
            if (k < here) {
                mine[k] = row[k];
                all = f(all, mine[k]);
            }
        }
        const LANES = (block.size + L - 1) / L;
        let upto = __inclusive<32, true, LANES>(all, f, __scanners(v, f, LANES));
        var before = __upto_before<32>(upto, all, f);
        comptime if (TOTAL) {
            if (warp.lane == LANES - 1) slots[32 * (L + PAD)] = upto;
        }
        unroll for (k in 0..L) {
            if (k < here) {
                var value = mine[k];
                comptime if (!KEEP) value = row[k];
                row[k] = before;
                // Lane 0 has no value before its first, so its result here isn't used; a branch
                // around it would keep the same sums from above in registers.
                if (k + 1 < L) {
                    let is_first = k == 0 && warp.lane == 0;
                    var (left, right) = (before, value);
                    comptime if (__operator(v, f) == 6) {
                        if (k == 0) {
                            let second = KEEP ? mine[min(1, L - 1)] : row[min(1, here - 1)];
                            left = is_first ? value : before;
                            right = is_first ? second : value;
                        }
                    }
                    let next = f(left, right);
                    before = is_first ? value : next;
                }
            }
        }
    }
    block.sync();
    comptime if (TOTAL) return (slots[slot], slots[32 * (L + PAD)]);
    else return (slots[slot], v);
}

fn __scan_block<const METHOD: u32, const TOTAL: bool, const N: u32, T: type, F: fn>(v: T, f: F) -> (T, T) {
    static_assert(METHOD == 0 || METHOD == raking || METHOD == raking_memoize || METHOD == warp_scans, "a scan takes raking, raking_memoize or warp_scans");
    const WARPS = (block.size + 31) / 32;
    const KEEP = METHOD == raking_memoize;
    const HAS_SCANS = WARPS <= 4 || (WARPS > 8 && N > 1);
    comptime if (METHOD == warp_scans || (METHOD == 0 && (sizeof<T>) <= 8 && HAS_SCANS)) return __scan_by_warps(v, f);
    else return __scan_raking<KEEP, TOTAL>(v, f);
}

// Scans the values of a thread, which follow `before`. HAS: every thread has a `before`; otherwise
// all but the first.
fn __scan_within<const INCLUSIVE: bool, const HAS: bool, T: type, const N: u32, F: fn>(v: T[N], f: F, before: T) -> T[N] {
    var r: T[N];
    var upto = before;
    let is_alone = !HAS && thread.rank == 0;
    unroll for (k in 0..N) {
        let old = upto;
        if (k == 0 && is_alone) upto = v[0];
        else upto = f(upto, v[k]);
        comptime if (INCLUSIVE) r[k] = upto;
        else if (k > 0 || !is_alone) r[k] = old;
    }
    return r;
}
fn __total<T: type, const N: u32, F: fn>(v: T[N], f: F) -> T {
    var r = v[0];
    unroll for (k in 1..N) r = f(r, v[k]);
    return r;
}

fn __scan<const METHOD: u32, const INCLUSIVE: bool, const TOTAL: bool, T: type, const N: u32, F: fn>(v: T[N], f: F) -> (T[N], T) {
    let (before, total) = __scan_block<METHOD, TOTAL, N>(__total(v, f), f);
    return (__scan_within<INCLUSIVE, false>(v, f, before), __assume_block(total));
}
fn __scan<const METHOD: u32, const INCLUSIVE: bool, const TOTAL: bool, T: int, const N: u32, F: fn>(v: T[N], f: F) -> (T[N], T) {
    // an empty sum is 0, so the first thread has a `before` too
    const HAS = __operator(v[0], f) == 0;
    let (before, total) = __scan_block<METHOD, TOTAL, N>(__total(v, f), f);
    return (__scan_within<INCLUSIVE, HAS>(v, f, before), __assume_block(total));
}
fn __scan_from<const METHOD: u32, const INCLUSIVE: bool, const TOTAL: bool, T: type, const N: u32, F: fn>(v: T[N], f: F, init: T) -> (T[N], T) {
    let (before, total) = __scan_block<METHOD, TOTAL, N>(__total(v, f), f);
    return (__scan_within<INCLUSIVE, true>(v, f, __join(thread.rank == 0, init, init, before, f)), __assume_block(total));
}
fn __scan_behind<const METHOD: u32, const INCLUSIVE: bool, T: type, const N: u32, F: fn, P: fn>(v: T[N], f: F, prefix: P) -> T[N] {
    shared outside: T[1];
    let (before, total) = __scan_block<METHOD, true, N>(__total(v, f), f);
    if (warp.rank == 0) {
        let given: T = prefix(total);
        if (warp.lane == 0) outside[0] = given;
    }
    block.sync();
    return __scan_within<INCLUSIVE, true>(v, f, __join(thread.rank == 0, outside[0], outside[0], before, f));
}

fn block.inclusive_scan<const method: u32 = 0, T: type, const N: u32, F: fn>(v: T[N], f: F) -> T[N] = __scan<method, true, false>(v, f)[0];
fn block.inclusive_scan<const method: u32 = 0, T: type, F: fn>(v: T, f: F) -> T = __scan<method, true, false>([v], f)[0][0];
fn block.inclusive_scan<const method: u32 = 0, T: type, const N: u32, F: fn>(v: T[N], f: F, init: T) -> T[N] = __scan_from<method, true, false>(v, f, init)[0];
fn block.inclusive_scan<const method: u32 = 0, T: type, F: fn>(v: T, f: F, init: T) -> T = __scan_from<method, true, false>([v], f, init)[0][0];
fn block.inclusive_scan<const method: u32 = 0, T: type, const N: u32, F: fn, P: fn>(v: T[N], f: F, prefix: P) -> T[N] = __scan_behind<method, true>(v, f, prefix);
fn block.inclusive_scan<const method: u32 = 0, T: type, F: fn, P: fn>(v: T, f: F, prefix: P) -> T = __scan_behind<method, true>([v], f, prefix)[0];

fn block.exclusive_scan<const method: u32 = 0, T: type, const N: u32, F: fn>(v: T[N], f: F) -> T[N] = __scan<method, false, false>(v, f)[0];
fn block.exclusive_scan<const method: u32 = 0, T: type, F: fn>(v: T, f: F) -> T = __scan<method, false, false>([v], f)[0][0];
fn block.exclusive_scan<const method: u32 = 0, T: type, const N: u32, F: fn>(v: T[N], f: F, init: T) -> T[N] = __scan_from<method, false, false>(v, f, init)[0];
fn block.exclusive_scan<const method: u32 = 0, T: type, F: fn>(v: T, f: F, init: T) -> T = __scan_from<method, false, false>([v], f, init)[0][0];
fn block.exclusive_scan<const method: u32 = 0, T: type, const N: u32, F: fn, P: fn>(v: T[N], f: F, prefix: P) -> T[N] = __scan_behind<method, false>(v, f, prefix);
fn block.exclusive_scan<const method: u32 = 0, T: type, F: fn, P: fn>(v: T, f: F, prefix: P) -> T = __scan_behind<method, false>([v], f, prefix)[0];

fn block.inclusive_scan_total<const method: u32 = 0, T: type, const N: u32, F: fn>(v: T[N], f: F) -> (T[N], T) = __scan<method, true, true>(v, f);
fn block.inclusive_scan_total<const method: u32 = 0, T: type, F: fn>(v: T, f: F) -> (T, T) {
    let (r, total) = __scan<method, true, true>([v], f);
    return (r[0], total);
}
fn block.exclusive_scan_total<const method: u32 = 0, T: type, const N: u32, F: fn>(v: T[N], f: F) -> (T[N], T) = __scan<method, false, true>(v, f);
fn block.exclusive_scan_total<const method: u32 = 0, T: type, F: fn>(v: T, f: F) -> (T, T) {
    let (r, total) = __scan<method, false, true>([v], f);
    return (r[0], total);
}
fn block.inclusive_scan_total<const method: u32 = 0, T: type, const N: u32, F: fn>(v: T[N], f: F, init: T) -> (T[N], T) = __scan_from<method, true, true>(v, f, init);
fn block.inclusive_scan_total<const method: u32 = 0, T: type, F: fn>(v: T, f: F, init: T) -> (T, T) {
    let (r, total) = __scan_from<method, true, true>([v], f, init);
    return (r[0], total);
}
fn block.exclusive_scan_total<const method: u32 = 0, T: type, const N: u32, F: fn>(v: T[N], f: F, init: T) -> (T[N], T) = __scan_from<method, false, true>(v, f, init);
fn block.exclusive_scan_total<const method: u32 = 0, T: type, F: fn>(v: T, f: F, init: T) -> (T, T) {
    let (r, total) = __scan_from<method, false, true>([v], f, init);
    return (r[0], total);
}
