// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/segmented_radix_sort.ck - radix sort of the elements of each segment of a sequence, by a launch
// of a kernel.
//
// In an algorithm, with descending = false, begin_bit = 0, end_bit = all:
//   segmented_radix_sort(keys, offsets)             segment s has elements offsets[s] to offsets[s + 1] - 1
//   segmented_radix_sort(keys, values, offsets)     keys, and values with them
//
//   keys          a readable and writable iterator of numbers; the greatest length that it can have is
//                 known to the host
//   values        an iterator of any type, at least as long as keys
//   offsets       a span or iterator of integers in order, each at most keys.len; one more than there are
//                 segments
//   overlap       keys and values: rejected
//                 offsets and what is written: rejected
//   begin_bit, end_bit   a window of the key as one number
//   result        each segment is sorted in place, stable, in the order of radix_sort
//   launches      1
//   scratch       a copy of keys and values
//   steps         a block sorts a segment, 8 bits a pass. Up to 1024 elements, or 4096 where the mean length
//                 is over 512, stay in its registers and shared memory; of a longer one a pass counts the
//                 digits, and moves tile after tile. On the host, unless checked: one thread executes the
//                 passes. For many segments of a few elements segmented_sort is faster
//   target        any
//   CUB           DeviceSegmentedRadixSort::SortKeys(k, n, segments, begins, ends)   segmented_radix_sort(k, offsets)
//                 ::SortKeysDescending(k, ...)                                       segmented_radix_sort(k, offsets, descending = true)
//                 ::SortPairs(k, v, n, segments, begins, ends)                       segmented_radix_sort(k, v, offsets)
//
//   algorithm rows(n: u64, m: u64, x: inout f32[n], starts: in u32[m + 1]) { segmented_radix_sort(x, starts); }
//   CALL: rows(x=[3, 1, 2, 9, 7], starts=[0, 3, 3, 5])
//   EXPECT: x = [1, 2, 3, 7, 9]
//
// A long segment in one pass, with the digits 0 to 2:
//
//     segment       2 0 1 | 1 0 2 | 2        tiles
//     next          0 2 4                    where the next element of each digit goes
//     tile 0        sorted 0 1 2, written to places 0, 2, 4; next is 1 3 5
//     tile 1        sorted 0 1 2, written to places 1, 3, 5; next is 2 4 6

// One pass over the `len` elements from `lo` on, by one block.
fn __segment_pass<const N: u32, const HAS_VALUES: bool, A: type, X: type, B: type, Y: type, F: fn, T: type, V: type>(from: A, values: X, to: B, to_values: Y, lo: u64, len: u64, digit: __Digit<F>, like: T, like_value: V) {
    const WARPS = block.size / 32;
    const TILE: u32 = N * block.size;
    shared places: u32[WARPS * 256];
    shared sorted: T[TILE];
    shared sorted_values: V[HAS_VALUES ? TILE : 1];
    shared at: u64[256];
    shared numbers: u32[256];
    let d = thread.rank;
    let mine = address(places[warp.rank * 256]);
    let first = warp.rank * (32 * N) + warp.lane;
    if (d < 256) numbers[d] = 0;
    block.sync();
    for (i in block.stride(len)) atomic.add(numbers[digit.of(__sweep_at(from, lo + i, 0))], 1, scope = block);
    block.sync();
    var next = lo + u64(__sweep_scan(d < 256 ? numbers[d] : 0u32));
    for (start in (0..len).step(u64(TILE))) {
        let count = u32(min(len - start, u64(TILE)));
        var items: T[N];
        unroll for (k in 0..N) {
            if (first + 32 * k < count) items[k] = __sweep_at(from, lo + start, first + 32 * k);
        }
        __clear_counts<256>(places, warp.rank * 256);
        unroll for (k in 0..N) atomic.add(mine[first + 32 * k < count ? digit.of(items[k]) : 255], 1, scope = block);
        block.sync();
        var total = 0u32;
        if (d < 256) {
            unroll for (w in 0..WARPS) {
                let c = places[w * 256 + d];
                places[w * 256 + d] = total;
                total += c;
            }
        }
        let begin = __sweep_scan(total);
        if (d < 256) {
            unroll for (w in 0..WARPS) places[w * 256 + d] += begin;
            at[d] = next - u64(begin);
            next += u64(total - (d == 255 ? TILE - count : 0));
        }
        block.sync();
        unroll for (k in 0..N) {
            let e = first + 32 * k < count ? digit.of(items[k]) : 255;
            let place = __sweep_place(mine + e, e);
            sorted[place] = items[k];
            comptime if (HAS_VALUES) {
                if (first + 32 * k < count) sorted_values[place] = __sweep_at(values, lo + start, first + 32 * k);
            }
        }
        block.sync();
        for (r in block.stride(count)) {
            let i = at[digit.of(sorted[r])] + u64(r);
            __sweep_put(to, i, sorted[r]);
            comptime if (HAS_VALUES) __sweep_put(to_values, i, sorted_values[r]);
        }
        block.sync();
    }
}

fn __segment_sort<const N: u32, const HAS_VALUES: bool, I: type, X: type, S: type, T: type, V: type, F: fn>(keys: I, values: X, offsets: S, other: inout T[], other_values: inout V[], sweep: __Sweep<F>) {
    let segments = offsets.len - min(offsets.len, 1);
    for (s in (u64(block.id.x)..segments).step(u64(grid.dim.x))) {
        let (lo, hi) = (__assume_block(u64(offsets[s])), __assume_block(u64(offsets[s + 1])));
        let len = hi - lo;
        if (len <= u64(N * block.size)) {
            __sweep_block<N, HAS_VALUES>(keys.drop(lo).take(len), values.drop(lo), keys.drop(lo), values.drop(lo), sweep, other[0], other_values[0]);
        } else {
            for (pass in 0..sweep.passes) {
                let target = __sweep_writes(sweep, true, pass);
                let source = pass == 0 ? 0 : 3 - target;
                __segment_pass<N, HAS_VALUES>(__sweep_source(source, keys, other, keys), __sweep_source(source, values, other_values, values),
                    __sweep_target(target, other, keys), __sweep_target(target, other_values, values), lo, len, __sweep_digit(sweep, pass), other[0], other_values[0]);
            }
            if (sweep.passes % 2 == 1) {
                for (i in (lo + u64(thread.rank)..hi).step(u64(block.size))) {
                    keys[i] = other[i];
                    comptime if (HAS_VALUES) values[i] = other_values[i];
                }
            }
        }
        block.sync();
    }
}

fn __segment_sort_serial<const HAS_VALUES: bool, I: type, X: type, S: type, T: type, V: type, F: fn>(keys: I, values: X, offsets: S, other: inout T[], other_values: inout V[], sweep: __Sweep<F>) {
    for (s in 0..offsets.len - min(offsets.len, 1)) {
        let (lo, hi) = (u64(offsets[s]), u64(offsets[s + 1]));
        let part = keys.drop(lo).take(hi - lo);
        __sweep_serial<HAS_VALUES>(part, values.drop(lo), other[lo..hi], other_values[HAS_VALUES ? lo : 0..HAS_VALUES ? hi : 1], part, values.drop(lo), sweep, true);
    }
}

algorithm device.__segmented_radix_sort<const HAS_VALUES: bool, I: type, X: type, S: type, V: type>(keys: I, values: X, offsets: S, descending: bool, begin_bit: u32, end_bit: u32, like_value: V) {
    static_assert(sizeof(__is_place(offsets[0u64])) == 1, "");
    let n = __finite(__most(keys));
    __fits(offsets.len, 1, "'offsets'");
    let segments = __finite(__most(offsets)) - min(__finite(__most(offsets)), 1);
    const WIDTH = 8 * u32(sizeof<element_of<I>>);
    const BYTES: u32 = u32(sizeof<element_of<I>>) + (HAS_VALUES ? u32(sizeof<V>) : 0);
    static_assert(BYTES <= 64, "segmented_radix_sort moves elements of at most 64 bytes, with their values");
    const N: u32 = BYTES <= 8 ? 8 : BYTES <= 16 ? 4 : BYTES <= 32 ? 2 : 1;
    let sweep = __Sweep(|k| k, begin_bit, min(end_bit, WIDTH), descending);
    scratch other: element_of<I>[max(n, 1)];
    scratch other_values: V[HAS_VALUES ? max(n, 1) : 1];
    comptime if (__is_serial()) {
        launch __segment_sort_serial<HAS_VALUES>(block = 1, grid = 1, keys, values, offsets, other, other_values, sweep);
    } else if (n <= 512 * segments) {
        launch __segment_sort<min(N, 4), HAS_VALUES>(block = 256, grid = min(segments, 2147483647), keys, values, offsets, other, other_values, sweep);
    } else {
        launch __segment_sort<N, HAS_VALUES>(block = 512, grid = min(segments, 2147483647), keys, values, offsets, other, other_values, sweep);
    }
}

algorithm device.segmented_radix_sort<I: type, S: type>(keys: I, offsets: S, descending: bool = false, begin_bit: u32 = 0, end_bit: u32 = ~0u32) {
    __apart(keys);
    let starts = take(offsets, __finite(__most(offsets))); // spans of one parameter count as overlapping as well
    __apart(starts, keys);
    device.__segmented_radix_sort<false>(keys, discard<u8>(), offsets, descending, begin_bit, end_bit, 0u8);
}
algorithm device.segmented_radix_sort<I: type, X: type, S: type>(keys: I, values: X, offsets: S, descending: bool = false, begin_bit: u32 = 0, end_bit: u32 = ~0u32) {
    let pairs = zip(keys, values);
    __apart(pairs);
    __apart(offsets, pairs);
    __fits(__room(values), keys.len, "'values'");
    device.__segmented_radix_sort<true>(keys, values, offsets, descending, begin_bit, end_bit, __zero(values[0u64]));
}
