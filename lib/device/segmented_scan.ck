// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/segmented_scan.ck - the running values of each segment of a sequence, by a launch of a kernel.
//
// inclusive_segmented_scan(it, offsets, to, f), inclusive_segmented_scan(it, offsets, to, f, init),
// exclusive_segmented_scan(it, offsets, to, f, init), in an algorithm. Segment s is it[offsets[s]] to
// it[offsets[s + 1] - 1], and may be empty
//
//   it, to        iterators; `it` is finite, `to` is writable and has room for as many
//   offsets       a span or iterator of integers in order, each at most it.len; one more than there
//                 are segments
//   overlap       of inclusive scans, `it` and `to`: allowed for slices of a span that are the same, or
//                 have no common element; else what is read and what is written: rejected
//   f             associative, for floats as far as rounding goes; it need not be commutative
//   result        to[i] is what the scan of i's segment alone gives there. Where i is before the first
//                 segment or behind the last, to[i] stays as it is
//   launches      1
//   scratch       words of persistent memory for each tile, one for each 4 bytes of a flag and a value
//   steps         a scan with look-back (device/scan.ck), in which a tile with the begin of a segment
//                 publishes at once what the next one needs. A block searches the first offset in its
//                 tile, 32 at a time, and marks the begins of segments as bits in shared memory. So
//                 each offset is read once, and a search is made once a tile
//   target        any
//   CUB           DeviceSegmentedScan::InclusiveSegmentedSum(x, y, begins, ends, n)         inclusive_segmented_scan(x, offsets, y, +)
//                 DeviceSegmentedScan::InclusiveSegmentedScan(x, y, begins, ends, n, f)     inclusive_segmented_scan(x, offsets, y, f)
//                 DeviceSegmentedScan::ExclusiveSegmentedSum(x, y, begins, ends, n)         exclusive_segmented_scan(x, offsets, y, +, 0)
//                 DeviceSegmentedScan::ExclusiveSegmentedScan(x, y, begins, ends, n, f, i)  exclusive_segmented_scan(x, offsets, y, f, i)
//
//   algorithm running(n: u64, rows: u64, x: in f32[n], starts: in u32[rows + 1], y: out f32[n]) {
//       inclusive_segmented_scan(x, starts, y, +);
//   }
//   CALL: running(x=[1, 2, 3, 4, 5], starts=[0, 2, 2, 5], y=zeros:5)
//   EXPECT: y = [1, 3, 3, 7, 12]
//
// Behind a begin, values are scanned anew; a thread has K adjacent elements and their bits:
//
//     (a, v) and (b, w) give b ? (b, w) : (a, f(v, w))
//
//     offsets  0 2 2 5          bits    1 0 1 0 0 1
//     value    1 2 3 4 5        scan    1 3 3 7 12

// The number of offsets below `start`, by a warp: 32 of them at a time.
fn __offsets_below<X: type>(offsets: X, start: u64) -> u64 {
    var lo = 0u64;
    var size = offsets.len;
    while (size > 32) {
        let step = size / 32;
        let below = u64(popcount(warp.ballot(u64(offsets[lo + (u64(warp.lane) + 1) * step - 1]) < start)));
        lo += below * step;
        size = below == 32 ? size - 32 * step : step - 1;
    }
    let is_below = u64(warp.lane) < size && u64(offsets[min(lo + u64(warp.lane), offsets.len - 1)]) < start;
    return lo + u64(popcount(warp.ballot(is_below)));
}

fn __segmented_tile<const K: u32, const FULL: bool, const EXCLUSIVE: bool, const HAS_INIT: bool, I: type, X: type, O: type, F: fn, T: type>(it: I, offsets: X, to: O, f: F, init: T, words: inout u64[], items: inout T[], heads: inout u32[], place: inout u64[], sums: inout __Headed<T>[], before: inout __Headed<T>[]) {
    const WARPS = block.size / 32;
    const TILE = K * block.size;
    let (tile, lane, n) = (u64(block.id.x), warp.lane, it.len);
    let start = tile * u64(TILE);
    let count = FULL ? TILE : __assume_block(u32(min(n - start, u64(TILE))));
    let g = |a, b| b.has != 0 ? b : __Headed(a.has, f(a.v, b.v));
    var v: T[K];
    unroll for (k in 0..K) {
        let i = thread.rank + k * block.size;
        if (FULL || i < count) v[k] = it[start + u64(i)];
    }
    for (w in (thread.rank..TILE / 32 + 2).step(block.size)) heads[w] = 0;
    if (warp.rank == 0) {
        let below = __offsets_below(offsets, start);
        if (lane == 0) place[0] = below;
    }
    unroll for (k in 0..K) {
        let i = thread.rank + k * block.size;
        if (FULL || i < count) items[i] = v[k];
    }
    block.sync();
    var s = place[0] + u64(thread.rank);
    while (s < offsets.len) {
        let at = u64(offsets[s]) - start;
        if (at >= u64(count)) break;
        atomic.or(heads[u32(at) / 32], 1u32 << u32(at) % 32, scope = block);
        s += u64(block.size);
    }
    block.sync();
    let first = thread.rank * K;
    let mine = FULL ? K : first < count ? min(count - first, K) : 0;
    let pair = u64(heads[first / 32]) | u64(heads[first / 32 + 1]) << 32;
    let bits = u32(pair >> u64(first % 32)) & ((1u32 << K) - 1); // where segments begin
    unroll for (k in 0..K) {
        if (FULL || k < mine) {
            v[k] = items[first + k];
            comptime if (HAS_INIT) {
                if (bits >> k & 1 != 0) v[k] = f(init, v[k]);
            }
        }
    }
    unroll for (k in 1..K) {
        if ((FULL || k < mine) && bits >> k & 1 == 0) v[k] = f(v[k - 1], v[k]);
    }
    let threads = count / K; // those that have all their elements
    let full = FULL ? 32 : min(max(threads, warp.rank * 32) - warp.rank * 32, 32);
    var total = __Headed(u32(bits != 0), v[K - 1]);
    unroll for (k in 0..5) {
        let left = warp.shuffle_up(total, 1u32 << k);
        if (lane >= (1u32 << k) && (FULL || lane < full)) total = g(left, total);
    }
    let left = warp.shuffle_up(total, 1);
    if (lane == 31) sums[warp.rank] = total;
    block.sync();
    if (warp.rank == 0) __scan_warps<WARPS, false>(sums, before, words, tile, start + u64(TILE) >= n, threads / 32, g, total);
    block.sync();
    if (FULL || mine > 0) {
        var own = before[warp.rank]; // all before this thread
        let has_ahead = tile > 0 || warp.rank > 0;
        if (lane > 0) own = has_ahead ? g(own, left) : left;
        var last = own.v;
        unroll for (k in 0..K) {
            if (FULL || k < mine) {
                var all = v[k];
                if (bits & ((2u32 << k) - 1) == 0 && (has_ahead || lane > 0)) all = f(own.v, v[k]);
                comptime if (EXCLUSIVE) items[first + k] = bits >> k & 1 != 0 ? init : last;
                else items[first + k] = all;
                last = all;
            }
        }
    }
    block.sync();
    let (low, high) = (u64(offsets[0u64]), u64(offsets[offsets.len - 1]));
    unroll for (k in 0..K) {
        let i = start + u64(thread.rank + k * block.size);
        if ((FULL || i < n) && i >= low && i < high) to[i] = items[thread.rank + k * block.size];
    }
}

fn __segmented_tiles<const K: u32, const EXCLUSIVE: bool, const HAS_INIT: bool, I: type, X: type, O: type, F: fn, T: type>(it: I, offsets: X, to: O, f: F, init: T, words: inout u64[]) {
    const TILE = K * block.size;
    shared items: T[TILE];
    shared heads: u32[TILE / 32 + 2];
    shared place: u64[1];
    shared sums: __Headed<T>[block.size / 32];
    shared before: __Headed<T>[block.size / 32];
    let start = u64(block.id.x) * u64(TILE);
    if (start >= it.len) return;
    if (it.len - start >= u64(TILE)) __segmented_tile<K, true, EXCLUSIVE, HAS_INIT>(it, offsets, to, f, init, words, items, heads, place, sums, before);
    else __segmented_tile<K, false, EXCLUSIVE, HAS_INIT>(it, offsets, to, f, init, words, items, heads, place, sums, before);
}

// By one thread of the host.
fn __segmented_serial<const EXCLUSIVE: bool, const HAS_INIT: bool, I: type, X: type, O: type, F: fn, T: type>(it: I, offsets: X, to: O, f: F, init: T) {
    for (s in 1..offsets.len) {
        var acc = init;
        let begin = u64(offsets[s - 1]);
        for (i in begin..u64(offsets[s])) {
            var v: T;
            v = it[i];
            comptime if (EXCLUSIVE) to[i] = acc;
            acc = HAS_INIT || i > begin ? f(acc, v) : v;
            comptime if (!EXCLUSIVE) to[i] = acc;
        }
    }
}

algorithm device.__segmented_scan<const EXCLUSIVE: bool, const HAS_INIT: bool, I: type, X: type, O: type, F: fn, T: type>(it: I, offsets: X, to: O, f: F, init: T) {
    static_assert(sizeof(__is_place(offsets[0u64])) == 1, "");
    let starts = take(offsets, __finite(__most(offsets)));
    __apart(starts, f, to);
    let elements = take(it, __finite(__most(it)));
    comptime if (EXCLUSIVE || sizeof(__moves(it, to)) == 2) __apart(elements, to);
    else __in_step(it, to);
    __fits(offsets.len, 1, "'offsets'");
    __fits(__room(to), it.len, "'to'");
    let n = __most(it);
    const W = u64((u32(sizeof<__Headed<T>>) + 3) / 4);
    const K: u32 = __segmented_items_of<T>();
    comptime if (__is_serial()) {
        launch __segmented_serial<EXCLUSIVE, HAS_INIT>(block = 1, grid = 1, it, offsets, to, f, init);
    } else if (n <= 131072) {
        const FEW: u32 = min(K, 7);
        const TILE = 128 * u64(FEW);
        scratch persistent words: u64[W * ceil_div(n, TILE)];
        launch __segmented_tiles<FEW, EXCLUSIVE, HAS_INIT>(block = 128, grid = ceil_div(n, TILE), it, offsets, to, f, init, words);
    } else {
        const TILE = 256 * u64(K);
        scratch persistent words: u64[W * ceil_div(n, TILE)];
        launch __segmented_tiles<K, EXCLUSIVE, HAS_INIT>(block = 256, grid = ceil_div(n, TILE), blocks_per_sm = sizeof<T> < 4 ? 2 : sizeof<T> <= 8 ? 4 : sizeof<T> <= 24 ? 3 : 1, it, offsets, to, f, init, words);
    }
}

algorithm device.inclusive_segmented_scan<I: type, X: type, O: type, F: fn>(it: I, offsets: X, to: O, f: F) {
    device.__segmented_scan<false, false>(it, offsets, to, f, __zero(it[0u64]));
}
algorithm device.inclusive_segmented_scan<I: type, X: type, O: type, F: fn, T: type = element_of<I>>(it: I, offsets: X, to: O, f: F, init: T) {
    device.__segmented_scan<false, true>(it, offsets, to, f, init);
}
algorithm device.exclusive_segmented_scan<I: type, X: type, O: type, F: fn, T: type = element_of<I>>(it: I, offsets: X, to: O, f: F, init: T) {
    device.__segmented_scan<true, true>(it, offsets, to, f, init);
}
