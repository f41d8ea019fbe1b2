// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device/top_k.ck - the greatest or least elements of an iterator, or of each row of a matrix, by
// launches of kernels.
//
// In an algorithm, with descending = true, and sorted = true, a constant:
//   top_k(it, to)                          the to.len greatest elements of `it`
//   top_k(keys, values, to, to_values)     with the values of the chosen keys
//   top_k(m, to), top_k(m, to, places)     spans of two extents: of each row of m as many as a row of
//                                          `to` has, and where they are in the row
//
//   it, keys      iterators of numbers; the greatest length that they can have is known to the host
//   values        an iterator of any type, at least as long as keys; count<u32>() gives places
//   to, to_values writable iterators; readable ones if the result is sorted. Of fewer elements than
//                 `to` has room for, all are stored
//   places        a span of integers, of the shape of `to`; of a type that has the last place of a row
//   overlap       it, keys or values and what is written: rejected
//   descending    false: the least ones
//   result        sorted; of equal elements the first ones are chosen, and they stay in order. With
//                 sorted = false no order is specified but that of equal elements; equal calls give
//                 equal orders. Floats are ordered as in radix_sort. Sorted rows have at most 4096 elements
//   launches      rows: 1. Else 1 up to 16384 elements, else 3 and one for every 11 bits of the key; to
//                 sort, those of radix_sort for to.len elements more
//   scratch       2048 counts for every 11 bits of the key, and what a partition and a sort have
//   steps         a radix select: from the highest digit of 11 bits on, a launch counts how many elements
//                 that have the digits chosen so far have each next one, and so finds the digit of the
//                 last element to be taken. Then a partition takes what is before it, and as many of
//                 those that equal it as are missing. A block does the same for a row
//   target        any
//   CUB           DeviceTopK::MaxKeys(x, y, n, k)             top_k(x, y, sorted = false)
//                 ::MinKeys(x, y, n, k)                       top_k(x, y, descending = false, sorted = false)
//                 ::MaxPairs(x, y, v, w, n, k)                top_k(x, v, y, w, sorted = false)
//                 DeviceBatchedTopK::MaxKeys                  top_k(m, to)
//
//   algorithm best(n: u64, scores: in f32[n], top: out f32[2], at: out u32[2]) { top_k(scores, count<u32>(), top, at); }
//   CALL: best(scores=[3, 9, 1, 9], top=zeros:2, at=zeros:2)
//   EXPECT: top = [9, 9]
//   EXPECT: at = [1, 3]
//
// Digits of 2 bits, the 3 least of eight elements:
//
//     elements      1101 0110 0011 0111 0100 1000 0101 1110
//     first digit   counts 1 4 1 2: the third element begins with 01, as the 2nd of 4
//     second digit  of 01..: counts 1 1 1 1: the 2nd is 0101
//     taken         what is below 0101, and 1 of those that equal it

const __TOP_BITS: u32 = 11;
const __TOP_BINS: u32 = 2048;
const __TOP_SMALL: u64 = 16384; // elements that one block takes
const __TOP_SORTED: u32 = 4096; // elements of a row that a block sorts

// The elements whose number, shifted by `low`, is below `prefix` are taken, and `need` of those where it
// equals it; is_done if these are all of them.
struct __Chosen { prefix: u64; need: u64; low: u32; is_done: u32; }

// The number whose order is that of the keys, or the opposite one.
fn __top_number<K: type>(k: K, descending: bool) = __top_turned(k, __digits(k, __key(k)), descending);
fn __top_turned<K: type, B: int>(like: K, b: B, descending: bool) -> B {
    const BITS: u32 = 8 * u32(sizeof<K>);
    const ALL = u64(0xffffffffffffffff) >> (64 - BITS);
    return descending ? b ^ B(ALL) : b;
}
fn __top_as<B: int>(like: B, v: u64) -> B = B(v);

// What is chosen when the digit above bit c.low - width is known: bins has the counts of elements with
// prefix c.prefix, by all threads of the block.
fn __top_next<C: int>(bins: in C[], c: __Chosen, width: u32) -> __Chosen {
    const EACH = __TOP_BINS / block.size;
    shared next: __Chosen[1];
    var counts: u64[EACH];
    unroll for (j in 0..EACH) counts[j] = u64(bins[thread.rank * EACH + j]);
    let before = block.exclusive_scan(counts, +);
    unroll for (j in 0..EACH) {
        let is_first = thread.rank * EACH + j == 0;
        if ((before[j] < c.need || is_first) && before[j] + counts[j] >= c.need) {
            let need = c.need - before[j];
            next[0] = __Chosen(c.prefix << u64(width) | u64(thread.rank * EACH + j), need, c.low - width, u32(need == counts[j]));
        }
    }
    block.sync();
    return next[0];
}

// ---- by all blocks ----

// Counts the digit of a pass. The launch ahead has counted the one before.
fn __top_count<I: type>(it: I, k: u64, descending: bool, pass: u32, bins: inout u64[], chosen: inout __Chosen[]) {
    const BITS: u32 = 8 * u32(sizeof<element_of<I>>);
    const V: u32 = __wide_count<element_of<I>>();
    const TILE = u64(V * block.size);
    shared part: u32[__TOP_BINS];
    let n = it.len;
    var c = __Chosen(0, min(k, n), BITS, 0);
    if (pass > 0) c = __top_step(bins, chosen, pass, BITS);
    if (__step_rank() == 0) chosen[pass] = c;
    if (__assume_grid(c.is_done) == 1) return;
    let width = min(c.low, __TOP_BITS);
    let low = c.low - width;
    for (i in block.stride(__TOP_BINS)) part[i] = 0;
    block.sync();
    var rest = 0u64;
    if (__adjoins<V>(it)) {
        let tiles = n / TILE;
        rest = tiles * TILE;
        var tile = u64(block.id.x);
        if (tile < tiles) {
            var next = __rows_of_tile<1, V>(it, tile);
            while (tile < tiles) {
                let row = next;
                tile += u64(grid.dim.x);
                if (tile < tiles) next = __rows_of_tile<1, V>(it, tile);
                unroll for (j in 0..V) __top_add(row[j], c.prefix, low, width, descending, part);
            }
        }
    }
    unroll(1) for (i in (rest + __step_rank()..n).step(__step_size())) __top_add(it[i], c.prefix, low, width, descending, part);
    block.sync();
    for (i in block.stride(__TOP_BINS)) {
        if (part[i] > 0) atomic.add(bins[pass * __TOP_BINS + i], u64(part[i]));
    }
}
fn __top_add<K: type>(k: K, prefix: u64, low: u32, width: u32, descending: bool, part: inout u32[]) {
    let b = __top_number(k, descending) >> low;
    if (b >> width == __top_as(b, prefix)) atomic.add(part[u32(b) & (1u32 << width) - 1], 1, scope = block);
}
fn __top_step(bins: in u64[], chosen: in __Chosen[], pass: u32, bits: u32) -> __Chosen {
    let c = chosen[pass - 1];
    if (__assume_grid(c.is_done) == 1) return c;
    return __top_next(bins[u64((pass - 1) * __TOP_BINS)..u64(pass * __TOP_BINS)], c, min(c.low, __TOP_BITS));
}
fn __top_last(bins: in u64[], chosen: inout __Chosen[], passes: u32, bits: u32) {
    let c = __top_step(bins, chosen, passes, bits);
    if (thread.rank == 0) chosen[passes] = c;
}

// ---- by one block ----

fn __top_block<const HAS_VALUES: bool, I: type, X: type, O: type, Y: type>(it: I, values: X, to: O, to_values: Y, n: u32, most: u32, descending: bool) {
    const BITS: u32 = 8 * u32(sizeof<element_of<I>>);
    const EACH = 4u32;
    shared part: u32[__TOP_BINS];
    let k = min(n, most);
    var c = __Chosen(0, u64(k), BITS, 0);
    while (c.low > 0 && c.is_done == 0) {
        let width = min(c.low, __TOP_BITS);
        for (i in block.stride(__TOP_BINS)) part[i] = 0;
        block.sync();
        for (i in block.stride(n)) __top_add(it[u64(i)], c.prefix, c.low - width, width, descending, part);
        block.sync();
        c = __assume_block(__top_next(part, c, width));
    }
    let ties = k - u32(c.need); // where elements that equal the last one begin
    var (ones, twos) = (0u32, ties);
    for (start in (0..n).step(EACH * block.size)) {
        let first = start + thread.rank * EACH;
        var kinds: u32[EACH]; // 1: taken, 65536: equals the last one
        unroll for (j in 0..EACH) {
            if (first + j < n) {
                let b = __top_number(it[u64(first + j)], descending) >> c.low;
                let prefix = __top_as(b, c.prefix);
                kinds[j] = b < prefix ? 1 : b == prefix ? 65536 : 0;
            }
        }
        let (before, total) = block.exclusive_scan_total(kinds, +);
        unroll for (j in 0..EACH) {
            let at = kinds[j] == 1 ? ones + before[j] % 65536 : twos + before[j] / 65536;
            if (kinds[j] > 0 && at < (kinds[j] == 1 ? ties : k)) {
                to[u64(at)] = it[u64(first + j)];
                comptime if (HAS_VALUES) to_values[u64(at)] = values[u64(first + j)];
            }
        }
        ones += total % 65536;
        twos = min(twos + total / 65536, k);
    }
}
fn __top_few<const HAS_VALUES: bool, I: type, X: type, O: type, Y: type>(it: I, values: X, to: O, to_values: Y, descending: bool) {
    __top_block<HAS_VALUES>(it, values, to, to_values, __assume_block(u32(it.len)), u32(to.len), descending);
}

// A row of a matrix.
fn __top_row<const SORTED: bool, const HAS_PLACES: bool, K: type, P: type>(m: in K[,], to: inout K[,], places: inout P[,], descending: bool) {
    for (r in (u64(block.id.x)..m.extent(0)).step(u64(grid.dim.x))) {
        let (row, to_row, places_row) = (m.row(r), to.row(r), places.row(r));
        __top_block<HAS_PLACES>(row, count<P>(), to_row, places_row, u32(m.extent(1)), u32(to.extent(1)), descending);
        comptime if (SORTED) {
            block.sync();
            let k = min(to.extent(1), m.extent(1));
            assert(k <= u64(__TOP_SORTED), "sorted rows have at most 4096 elements");
            let sweep = __Sweep(|x| x, 0, 8 * u32(sizeof<K>), descending);
            const N = __TOP_SORTED / block.size;
            __sweep_block<N, HAS_PLACES>(to_row.take(k), places_row, to_row, places_row, sweep, __zero(m[0, 0]), __zero(places[0, 0]));
        }
        block.sync();
    }
}

// ---- the plans ----

algorithm device.__top_k<const HAS_VALUES: bool, I: type, X: type, O: type, Y: type>(keys: I, values: X, to: O, to_values: Y, descending: bool) {
    let n = __finite(__most(keys));
    const THREADS: u32 = __is_serial() ? 32 : 512;
    if (__is_serial() || n <= __TOP_SMALL) {
        launch __top_few<HAS_VALUES>(block = THREADS, grid = 1, keys, values, to, to_values, descending);
    } else {
        const P: u32 = (8 * u32(sizeof<element_of<I>>) + __TOP_BITS - 1) / __TOP_BITS;
        scratch bins: u64[P * __TOP_BINS];
        scratch chosen: __Chosen[P + 1];
        launch __sweep_clear(block = 1024, grid = 1, bins);
        for (pass in 0..P) {
            launch __top_count(block = 512, blocks_per_sm = 2, grid = max(min(u64(resident), n / 8192), 1), keys, to.len, descending, pass, bins, chosen);
        }
        launch __top_last(block = 512, grid = 1, bins, chosen, P, 0u32);
        scratch counts: (u64, u64)[1];
        let last = chosen[u64(P)..u64(P + 1)];
        let k = min(to.len, keys.len);
        comptime if (HAS_VALUES) {
            let parts = zip(to, to_values);
            device.__split<3>(zip(keys, values), |p| __top_is_taken(p[0], last, descending), |p| __top_is_tie(p[0], last, descending), parts, __Ties(parts, last, k), __top_discard((__zero(keys[0u64]), __zero(values[0u64]))), counts);
        } else {
            device.__split<3>(keys, |v| __top_is_taken(v, last, descending), |v| __top_is_tie(v, last, descending), to, __Ties(to, last, k), __top_discard(__zero(keys[0u64])), counts);
        }
    }
}
fn __top_discard<T: type>(like: T) -> Discard<T> = discard<T>();
fn __top_is_taken<K: type>(k: K, last: in __Chosen[], descending: bool) -> bool {
    let b = __top_number(k, descending) >> last[0].low;
    return b < __top_as(b, last[0].prefix);
}
fn __top_is_tie<K: type>(k: K, last: in __Chosen[], descending: bool) -> bool {
    let b = __top_number(k, descending) >> last[0].low;
    return b == __top_as(b, last[0].prefix);
}
// As many bytes as `it` has extents.
fn __top_rank<T: type>(it: in T[,]) -> u8[2] { var r: u8[2]; return r; }
fn __top_rank<I: type>(it: I) -> u8[1] { var r: u8[1]; return r; }

algorithm device.top_k<const sorted: bool = true, I: type, O: type>(it: I, to: O, descending: bool = true) {
    const ROWS = sizeof(__top_rank(it)) == 2;
    let elements = (it, 0u8); // spans of one parameter count as overlapping as well
    __apart(elements, to);
    comptime if (ROWS) {
        scratch places: u8[1, 1];
        __fits(to.extent(0), it.extent(0), "rows of 'to'");
        launch __top_row<sorted, false>(block = 512, grid = it.extent(0), it, to, places, descending);
    } else {
        device.__top_k<false>(it, __None(0), to, __None(0), descending);
        comptime if (sorted) device.radix_sort(to.take(it.len), descending = descending);
    }
}
algorithm device.top_k<const sorted: bool = true, M: type, O: type, P: type>(m: M, to: O, places: P, descending: bool = true) {
    let elements = (m, 0u8);
    __apart(elements, to);
    __apart(elements, places);
    __fits(to.extent(0), m.extent(0), "rows of 'to'");
    __fits(places.extent(0), m.extent(0), "rows of 'places'");
    __fits(places.extent(1), min(to.extent(1), m.extent(1)), "a row of 'places'");
    let last = max(m.extent(1), 1) - 1;
    __stores(__number_of(places), last, last, "'places'");
    launch __top_row<sorted, true>(block = 512, grid = m.extent(0), m, to, places, descending);
}
algorithm device.top_k<const sorted: bool = true, I: type, X: type, O: type, Y: type>(keys: I, values: X, to: O, to_values: Y, descending: bool = true) {
    let pairs = zip(keys, values);
    let parts = zip(to, to_values);
    __apart(pairs, parts);
    __apart(parts);
    __fits(__room(values), keys.len, "'values'");
    __fits(__room(to_values), min(to.len, keys.len), "'to_values'");
    device.__top_k<true>(keys, values, to, to_values, descending);
    comptime if (sorted) device.radix_sort(to.take(keys.len), to_values, descending = descending);
}
