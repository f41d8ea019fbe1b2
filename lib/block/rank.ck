// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block/rank.ck - the rank of each item by a digit of a few bits: one pass of a radix sort.
//
// block.radix_rank<BITS, how>(digits), with descending = false; block.radix_rank_prefix<BITS,
// how>(digits): also the number of items before each digit, with `counts = function`. Both with
// `scan = word`, a constant.
//
//   shape         any block of constant size; digits: u32[N] of a thread, each below 2 to the BITS,
//                 BITS 1 to 8
//   arrangement   match, match_early_counts_any: warp_striped. basic, memoize: blocked
//   called by     all threads of the block; descending is the same in all of them
//   result        u32[N]: the position of each item in the stable order by digit.
//                 radix_rank_prefix: (ranks, prefix). A thread owns M = ceil(2 to the BITS /
//                 block.size) digits: prefix[j] is the number of items whose digit is less than
//                 thread.rank * M + j; beyond the last digit it is unspecified
//   counts        a function that all threads call with u32[M]: the number of items with each of
//                 the thread's digits
//   how           match            the default: lanes find those of the same digit by votes, and each
//                                  warp counts its items
//                 match_early_counts_any   match, but digits are counted by atomic operations before:
//                                  `counts` is called early, so other blocks can use its result
//                 basic            each thread counts its items, 16 bits a digit: for few bits, small blocks,
//                                  below 65536 items, below 256 a thread
//                 memoize          basic; a thread keeps the counters that it scans in registers. For 4
//                                  bits both take 0.5 to 0.6 of match's time, for 5 bits 0.6 to 0.9 (H200)
//   scan          warp_scans, raking or raking_memoize: how counts are scanned (scan.ck)
//   shared bytes  match, match_early_counts_any: 4 a warp for each digit, and a scan's; basic, memoize: 2 a
//                 thread for each digit, 4 more, and a scan's
//   steps         match: BITS votes an item, a scan over all digits, three barriers.
//                 match_early_counts_any: an atomic operation for each item, and one for each digit
//                 that occurs in a warp's lanes. basic, memoize: two accesses an item, and a scan
//                 over half as many counters a thread as there are digits. On the host, unless
//                 checked: one thread ranks all items, between two barriers
//   target        any
//   CUB           BlockRadixRank::RankKeys(keys, ranks, digit_extractor)   block.radix_rank<BITS>(digits)
//                     descending = true: IS_DESCENDING
//                 ::RankKeys(..., exclusive_digit_prefix)        block.radix_rank_prefix<BITS>(digits)
//                 ::RankKeys(..., exclusive_digit_prefix, callback)   block.radix_rank_prefix<BITS>(digits, counts = function)
//                 RADIX_RANK_BASIC                               block.radix_rank<BITS, basic>(digits)
//                 RADIX_RANK_MEMOIZE                             block.radix_rank<BITS, memoize>(digits)
//                 RADIX_RANK_MATCH                               block.radix_rank<BITS, match>(digits)
//                 RADIX_RANK_MATCH_EARLY_COUNTS_ANY              block.radix_rank<BITS, match_early_counts_any>(digits)
//                 INNER_SCAN_ALGORITHM                           block.radix_rank<BITS>(digits, scan = raking)
//
//   kernel places(digits: in u32[64], rank: out u32[64], before: out u32[4]) launch(block = 64, grid = 1)
//   {
//       let (ranks, prefix) = block.radix_rank_prefix<2>([digits[thread.rank]]);
//       rank[thread.rank] = ranks[0];
//       if (thread.rank < 4) before[thread.rank] = prefix[0];
//   }
//   CALL: places(digits=arange(64) % 4)
//   EXPECT: rank = arange(64) // 4 + 16 * (arange(64) % 4)
//   EXPECT: before = [0, 16, 32, 48]
//   COST: 48 bytes, 4 barriers
//
//   fn publish(table: inout u32[], counts: u32[1]) {
//       if (thread.rank < 4) table[thread.rank] = counts[0];
//   }
//   kernel early(digits: in u32[64], table: inout u32[4], rank: out u32[64]) launch(block = 64, grid = 1)
//   {
//       let (ranks, prefix) = block.radix_rank_prefix<2, match_early_counts_any>([digits[thread.rank]], counts = |c| publish(table, c));
//       rank[thread.rank] = ranks[0];
//   }
//   CALL: early(digits=arange(64) % 3, table=zeros:4)
//   EXPECT: table = [22, 21, 21, 0]
//   EXPECT: rank = arange(64) // 3 + where(arange(64) % 3 == 0, 0, where(arange(64) % 3 == 1, 22, 43))
//   COST: 48 bytes, 5 barriers

// The mask of the lanes with the same digit.
fn __peers<const BITS: u32>(digit: u32) -> u32 {
    var peers = warp.mask;
    unroll for (b in 0..BITS) {
        let bit = (digit & 1u32 << b) != 0;
        peers &= warp.ballot(bit) ^ (bit ? 0 : ~0u32);
    }
    return peers;
}

// The warp's counters start at `mine`.
fn __clear_counts<const BINS: u32>(counts: inout u32[], mine: u32) {
    comptime if (block.size % 32 == 0 && BINS % 128 == 0) {
        unroll for (i in 0..BINS / 128) counts.store(mine + 128 * i + 4 * warp.lane, u32x4(0));
    } else {
        let lanes = block.size % 32 == 0 ? 32 : min(32, block.size - (thread.rank & ~31u32));
        for (i in (warp.lane..BINS).step(lanes)) counts[mine + i] = 0;
    }
    warp.sync(warp.mask);
}

// Ranks keys that are in the order warp, item, lane. Returns the rank of each, and the start of the
// digits from thread.rank * EACH on. tell: see __tell_counts.
fn __radix_starts<const BITS: u32, const SCAN: u32 = 0, const N: u32, P: type>(digits: u32[N], tell: P) -> (u32[N], u32[((1u32 << BITS) + block.size - 1) / block.size]) {
    const WARPS = (block.size + 31) / 32;
    const BINS = 1u32 << BITS;
    const EACH = (BINS + block.size - 1) / block.size;
    shared counts: u32[WARPS * BINS];
    let mine = warp.rank * BINS;
    __clear_counts<BINS>(counts, mine);
    var ranks: u32[N];
    unroll for (k in 0..N) {
        let peers = __peers<BITS>(digits[k]);
        let below = popcount(peers & ((1u32 << warp.lane) - 1));
        let before = counts[mine + digits[k]];
        ranks[k] = before + below;
        warp.sync(warp.mask);
        if (peers >> warp.lane == 1) counts[mine + digits[k]] = before + below + 1;
        warp.sync(warp.mask);
    }
    block.sync();
    var totals: u32[EACH];
    unroll for (j in 0..EACH) {
        let bin = thread.rank * EACH + j;
        if (bin < BINS) unroll for (w in 0..WARPS) totals[j] += counts[w * BINS + bin];
    }
    __tell_counts(tell, totals);
    totals = block.exclusive_scan<SCAN>(totals, +);
    let starts = totals;
    unroll for (j in 0..EACH) {
        let bin = thread.rank * EACH + j;
        if (bin < BINS) {
            unroll for (w in 0..WARPS) {
                let count = counts[w * BINS + bin];
                counts[w * BINS + bin] = totals[j];
                totals[j] += count;
            }
        }
    }
    block.sync();
    unroll for (k in 0..N) ranks[k] += counts[mine + digits[k]];
    return (ranks, starts);
}

// Like it, but the digits are counted first; then a warp's counter is the rank of its next item of
// that digit.
fn __radix_starts_early<const BITS: u32, const SCAN: u32, const N: u32, P: type>(digits: u32[N], tell: P) -> (u32[N], u32[((1u32 << BITS) + block.size - 1) / block.size]) {
    const WARPS = (block.size + 31) / 32;
    const BINS = 1u32 << BITS;
    const EACH = (BINS + block.size - 1) / block.size;
    shared places: u32[WARPS * BINS];
    let mine = warp.rank * BINS;
    __clear_counts<BINS>(places, mine);
    unroll for (k in 0..N) atomic.add(places[mine + digits[k]], 1, scope = block);
    block.sync();
    var totals: u32[EACH];
    unroll for (j in 0..EACH) {
        let bin = thread.rank * EACH + j;
        if (bin < BINS) {
            unroll for (w in 0..WARPS) {
                let count = places[w * BINS + bin];
                places[w * BINS + bin] = totals[j];
                totals[j] += count;
            }
        }
    }
    __tell_counts(tell, totals);
    let starts = block.exclusive_scan<SCAN>(totals, +);
    unroll for (j in 0..EACH) {
        let bin = thread.rank * EACH + j;
        if (bin < BINS) unroll for (w in 0..WARPS) places[w * BINS + bin] += starts[j];
    }
    block.sync();
    var ranks: u32[N];
    unroll for (k in 0..N) {
        let peers = __peers<BITS>(digits[k]);
        let last = 31 - clz(peers);
        let upto = popcount(peers & ~(~1u32 << warp.lane));
        var before = 0u32;
        if (warp.lane == last) before = atomic.add(places[mine + digits[k]], upto, scope = block);
        ranks[k] = warp.shuffle(before, last) + upto - 1;
    }
    return (ranks, starts);
}

// A count has 16 bits, a thread's own count 8.
fn __counts_fit<const N: u32>() -> bool = block.size * N < 65536 && N < 256;

// Ranks blocked keys, as CUB's BlockRadixRank does. Each thread counts its own digits: digit d in
// half d / ROWS of word d % ROWS. The words are ordered row by row, each row with a word of every
// thread, so an exclusive scan over all words gives the ranks: the sums of the lower halves first,
// followed by those of the upper halves. An extra row of zeros makes the number of words that a
// thread scans odd, so that the threads access different banks.
fn __radix_starts_counted<const BITS: u32, const HOW: u32, const SCAN: u32, const N: u32, P: type>(digits: u32[N], tell: P) -> (u32[N], u32[((1u32 << BITS) + block.size - 1) / block.size]) {
    static_assert(__counts_fit<N>(), "basic and memoize rank fewer than 65536 items of a block, 256 of a thread: match takes more");
    const BINS = 1u32 << BITS;
    const EACH = (BINS + block.size - 1) / block.size;
    const ROWS = BINS / 2;
    shared counts: u32[(ROWS + 1) * block.size];
    let halves = ptr<u16, shared>(address(counts[0]));
    let rank = thread.rank;
    unroll for (i in 0..ROWS + 1) counts[i * block.size + rank] = 0;
    var ranks: u32[N]; // the counter's position, and in the upper 8 bits its previous value
    unroll for (k in 0..N) {
        let place = digits[k] % ROWS * (2 * block.size) + digits[k] / ROWS + 2 * rank;
        // reads the counter back immediately: otherwise the compiler keeps two words of it
        ranks[k] = byte_perm(place, u32(halves[place]), 0x4210);
        halves[place] = u16((ranks[k] >> 24) + 1);
    }
    block.sync();
    let first = rank * (ROWS + 1);
    var mine: u32[ROWS + 1];
    var sum = 0u32;
    unroll for (i in 0..ROWS + 1) {
        let word = counts[first + i];
        comptime if (HOW == memoize) mine[i] = word;
        sum += word;
    }
    let (before, total) = block.exclusive_scan_total<SCAN>(sum, +);
    var upto = before + (total << 16);
    unroll for (i in 0..ROWS + 1) {
        comptime if (HOW == basic) mine[i] = counts[first + i];
        counts[first + i] = upto;
        upto += mine[i];
    }
    block.sync();
    unroll for (k in 0..N) ranks[k] = (ranks[k] >> 24) + u32(halves[ranks[k] & 0xffffff]);
    var starts: u32[EACH];
    var totals: u32[EACH];
    unroll for (j in 0..EACH) {
        let bin = rank * EACH + j;
        if (bin < BINS) {
            starts[j] = u32(halves[bin % ROWS * (2 * block.size) + bin / ROWS]);
            let next = bin + 1;
            let end = next < BINS ? u32(halves[next % ROWS * (2 * block.size) + next / ROWS]) : block.size * N;
            totals[j] = end - starts[j];
        }
    }
    __tell_counts(tell, totals);
    return (ranks, starts);
}

// On the host, thread 0 ranks all items: a slot holds an item's digit, then its rank. The items are
// in the order of AT, as in exchange.ck.
fn __radix_starts_serial<const BITS: u32, const AT: u32, const N: u32, P: type>(digits: u32[N], tell: P) -> (u32[N], u32[((1u32 << BITS) + block.size - 1) / block.size]) {
    const COUNT = block.size * N;
    const BINS = 1u32 << BITS;
    const EACH = (BINS + block.size - 1) / block.size;
    shared slots: u16[COUNT];
    shared bins: u32[BINS + 1]; // the first rank of each digit
    shared next: u32[BINS];
    let (first, by) = (__first<AT, N>(), __stride<AT>());
    unroll for (k in 0..N) slots[first + k * by] = u16(digits[k]);
    block.sync();
    if (thread.rank == 0) {
        for (d in 0..BINS) next[d] = 0;
        for (i in 0..COUNT) next[u32(slots[i])] += 1;
        var sum = 0u32;
        for (d in 0..BINS) {
            bins[d] = sum;
            sum += next[d];
            next[d] = bins[d];
        }
        bins[BINS] = sum;
        for (i in 0..COUNT) {
            let d = u32(slots[i]);
            slots[i] = u16(next[d]);
            next[d] += 1;
        }
    }
    block.sync();
    var ranks: u32[N];
    unroll for (k in 0..N) ranks[k] = u32(slots[first + k * by]);
    var starts: u32[EACH];
    var totals: u32[EACH];
    unroll for (j in 0..EACH) {
        let bin = thread.rank * EACH + j;
        if (bin < BINS) {
            starts[j] = bins[bin];
            totals[j] = bins[bin + 1] - bins[bin];
        }
    }
    __tell_counts(tell, totals);
    return (ranks, starts);
}

// Calls the function `counts` of radix_rank_prefix, if there is one (otherwise it is __None,
// radix.ck).
fn __tell_counts<const M: u32>(tell: __None, counts: u32[M]) { }
fn __tell_counts<P: fn, const M: u32>(tell: P, counts: u32[M]) { tell(counts); }

fn __ranks<const BITS: u32, const HOW: u32, const SCAN: u32, const N: u32, P: type>(digits: u32[N], tell: P) -> (u32[N], u32[((1u32 << BITS) + block.size - 1) / block.size]) {
    static_assert(BITS >= 1 && BITS <= 8, "a rank goes by digits of 1 to 8 bits");
    static_assert(HOW == 0 || (HOW >= match && HOW <= memoize), "a rank takes match, match_early_counts_any, basic or memoize");
    const COUNTS = HOW == basic || HOW == memoize;
    const AT: u32 = COUNTS ? 0 : 2;
    comptime if (__is_serial() && __counts_fit<N>()) return __radix_starts_serial<BITS, AT>(digits, tell);
    else comptime if (COUNTS) return __radix_starts_counted<BITS, HOW, SCAN>(digits, tell);
    else comptime if (HOW == match_early_counts_any) return __radix_starts_early<BITS, SCAN>(digits, tell);
    else return __radix_starts<BITS, SCAN>(digits, tell);
}
fn __radix_rank<const BITS: u32, const HOW: u32 = 0, const SCAN: u32 = 0, const N: u32>(digits: u32[N]) -> u32[N] =
    __ranks<BITS, HOW, SCAN>(digits, __None(0))[0];

fn __turned<const BITS: u32, const N: u32>(digits: u32[N], descending: bool) -> u32[N] {
    var r = digits;
    unroll for (k in 0..N) r[k] ^= descending ? (1u32 << BITS) - 1 : 0;
    return r;
}
// Each thread's counts in the reverse order of digits.
fn __turned_bins<const BITS: u32, const EACH: u32>(of_bins: u32[EACH]) -> u32[EACH] {
    const BINS = 1u32 << BITS;
    shared all: u32[BINS];
    unroll for (j in 0..EACH) {
        if (thread.rank * EACH + j < BINS) all[thread.rank * EACH + j] = of_bins[j];
    }
    block.sync();
    var r: u32[EACH];
    unroll for (j in 0..EACH) {
        if (thread.rank * EACH + j < BINS) r[j] = all[BINS - 1 - (thread.rank * EACH + j)];
    }
    return r;
}
fn __tell_in_order<const BITS: u32, P: fn, const M: u32>(tell: P, counts: u32[M], descending: bool) {
    if (descending) tell(__turned_bins<BITS>(counts));
    else tell(counts);
}
fn __rank_prefix<const BITS: u32, const HOW: u32, const SCAN: u32, const N: u32, P: type>(digits: u32[N], tell: P, descending: bool) -> (u32[N], u32[((1u32 << BITS) + block.size - 1) / block.size]) {
    let (ranks, before) = __ranks<BITS, HOW, SCAN>(__turned<BITS>(digits, descending), tell);
    if (!descending) return (ranks, before);
    return (ranks, __turned_bins<BITS>(before));
}

fn block.radix_rank<const bits: u32, const how: u32 = 0, const N: u32>(digits: u32[N], descending: bool = false, const scan: u32 = 0) -> u32[N] =
    __radix_rank<bits, how, scan>(__turned<bits>(digits, descending));
fn block.radix_rank_prefix<const bits: u32, const how: u32 = 0, const N: u32>(digits: u32[N], descending: bool = false, const scan: u32 = 0) -> (u32[N], u32[((1u32 << bits) + block.size - 1) / block.size]) =
    __rank_prefix<bits, how, scan>(digits, __None(0), descending);
fn block.radix_rank_prefix<const bits: u32, const how: u32 = 0, const N: u32, P: fn>(digits: u32[N], counts: P, descending: bool = false, const scan: u32 = 0) -> (u32[N], u32[((1u32 << bits) + block.size - 1) / block.size]) =
    __rank_prefix<bits, how, scan>(digits, |c| __tell_in_order<bits>(counts, c, descending), descending);
