// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block/radix.ck - radix sort of a block.
//
// block.radix_sort<to, how>(keys), block.radix_sort<to, how>(keys, values), with begin_bit = 0,
// end_bit = all, descending = false, valid = n; and constants, `bits` of a pass and `scan = word`.
//
//   shape         any block of constant size; N keys a thread of any integer or float type
//   arrangement   blocked, in and out: thread t has the keys t * N to t * N + N - 1 of the order.
//                 radix_sort<striped>: the result is striped, which saves the exchange back
//   called by     all threads of the block; begin_bit, end_bit, descending and n are the same in all
//   result        sorted, stable; (keys, values) if there are values. For floats -0 and 0 are
//                 equal, and a NaN comes before or after all numbers, according to its sign, as in
//                 CUB. With valid only the first n keys are sorted, followed by the others
//                 unchanged (striped: in unspecified order)
//   how           how a pass ranks its digits: match, match_early_counts_any, basic or memoize, as
//                 in rank.ck; bits: of a digit, 1 to 8; scan: how counts are scanned. The defaults
//                 are what was fastest on an H200. The network; else memoize for 5 or more keys a
//                 thread of at most 12 bytes with their values, and for 4 keys of at most 4 bytes,
//                 in blocks above 256 threads of 8 bytes; else match. memoize sorts by 4 bits a
//                 pass, by 5 for 16 keys a thread or more than 8 bytes in blocks up to 512 threads,
//                 and scans by warp_scans from 256 threads or 16 keys on; match sorts by 8 bits, by
//                 6 in blocks below 64, by 4 below 32. `bits` up to 5 (up to 4 above 512 threads)
//                 without `how` select memoize
//   network       if `how`, `bits`, `scan` and the window are not given, keys of 4 or 8 bytes in
//                 blocks of whole warps, 1, 2, 4, 8 or 16 a thread, are sorted by bitonic.ck; with
//                 values if the block has at most 1024 of them, up to 8 a thread, or 2048, 1 or 2 a
//                 thread
//   shared bytes  the larger of the keys or the values, 1/32 more, and the rank's (rank.ck). The
//                 network: the keys; with values twice that, or the values, 1/32 more
//   steps         passes: the window's bits divided by those of a rank; each is a rank and an
//                 exchange of keys and values; without a window, values of more than 4 bytes move
//                 once, at the end. The network: bitonic.ck's comparisons; for floats one barrier
//                 more, and a scan if there is a -0; with values pairs of a key and a position are
//                 sorted, followed by an exchange. On the host, unless checked: one thread sorts by
//                 digits of 8 bits, or by insertion for up to 64 keys, between two barriers
//   target        any
//   CUB           BlockRadixSort::Sort(keys)                     block.radix_sort(keys)
//                 ::Sort(keys, values)                           block.radix_sort(keys, values)
//                 ::Sort(keys, begin_bit, end_bit)               block.radix_sort(keys, begin_bit = b, end_bit = e)
//                     with values too
//                 ::SortDescending(keys), (keys, values)         block.radix_sort(keys, descending = true)
//                 ::SortBlockedToStriped(keys), (keys, values)   block.radix_sort<striped>(keys)
//                 ::SortDescendingBlockedToStriped(keys)         block.radix_sort<striped>(keys, descending = true)
//                     with values too
//                 RADIX_BITS                                     block.radix_sort(keys, bits = 4)
//                     CUB: 4
//                 MEMOIZE_OUTER_SCAN = true                      block.radix_sort<blocked, memoize>(keys)
//                     false: basic. With values too
//                 INNER_SCAN_ALGORITHM                           block.radix_sort<blocked, memoize>(keys, scan = raking)
//
//   kernel sort(keys: inout f32[512], at: out u32[512]) launch(block = 128, grid = 1)
//   {
//       let k = block.load<transpose>(keys, 0, 4);
//       let index = block.load(count<u32>(), 0, 4);
//       let (sorted, from) = block.radix_sort(k, index, descending = true);
//       block.store<transpose>(keys, 0, sorted);
//       block.store<transpose>(at, 0, from);
//   }
//   CALL: sort(keys=arange(512) - 100)
//   EXPECT: keys = 411 - arange(512)
//   EXPECT: at = 511 - arange(512)
//   COST: 4096 bytes, 13 barriers

// ---- keys as numbers whose order is theirs ----

fn __key(k: u8) -> u32 = u32(k);
fn __key(k: u16) -> u32 = u32(k);
fn __key(k: u32) -> u32 = k;
fn __key(k: u64) -> u64 = k;
fn __key(k: i8) -> u32 = u32(u8(k)) ^ 0x80;
fn __key(k: i16) -> u32 = u32(u16(k)) ^ 0x8000;
fn __key(k: i32) -> u32 = u32(k) ^ 0x80000000;
fn __key(k: i64) -> u64 = u64(k) ^ (1u64 << 63);
fn __key_16(b: u32) -> u32 = b >> 15 == 0 ? b ^ 0x8000 : b ^ 0xffff;
fn __key(k: f16) -> u32 = __key_16(u32(bit_cast<u16>(k)));
fn __key(k: bf16) -> u32 = __key_16(u32(bit_cast<u16>(k)));
fn __key(k: f32) -> u32 { let b = bit_cast<i32>(k); return u32(b ^ (b >> 31 | (1i32 << 31))); }
fn __key(k: f64) -> u64 { let b = bit_cast<i64>(k); return u64(b ^ (b >> 63 | (1i64 << 63))); }
fn __key(k: bool) -> u32 = u32(k);
fn __key<K: type>(k: K) -> u32 {
    static_assert(false, "radix_sort goes by integers, floats and bools: let `by` give an item's, as |s| (s.a, s.b); merge_sort takes any type");
    return 0;
}

// The inverse; `like` gives the type.
fn __unkey(like: u8, b: u32) -> u8 = u8(b);
fn __unkey(like: u16, b: u32) -> u16 = u16(b);
fn __unkey(like: u32, b: u32) -> u32 = b;
fn __unkey(like: u64, b: u64) -> u64 = b;
fn __unkey(like: i8, b: u32) -> i8 = i8(b ^ 0x80);
fn __unkey(like: i16, b: u32) -> i16 = i16(b ^ 0x8000);
fn __unkey(like: i32, b: u32) -> i32 = i32(b ^ 0x80000000);
fn __unkey(like: i64, b: u64) -> i64 = i64(b ^ (1u64 << 63));
fn __unkey_16(b: u32) -> u16 = u16(b >> 15 == 1 ? b ^ 0x8000 : b ^ 0xffff);
fn __unkey(like: f16, b: u32) -> f16 = bit_cast<f16>(__unkey_16(b));
fn __unkey(like: bf16, b: u32) -> bf16 = bit_cast<bf16>(__unkey_16(b));
fn __unkey(like: f32, b: u32) -> f32 { let s = i32(b); return bit_cast<f32>(s ^ (~(s >> 31) | (1i32 << 31))); }
fn __unkey(like: f64, b: u64) -> f64 { let s = i64(b); return bit_cast<f64>(s ^ (~(s >> 63) | (1i64 << 63))); }

// The number whose digits are sorted by: -0 counts as 0.
fn __digits<K: int, B: int>(like: K, b: B) -> B = b;
fn __digits<B: int>(like: bool, b: B) -> B = b;
fn __digits<K: float, B: int>(like: K, b: B) -> B {
    const HALF = B(1) << (8 * (sizeof<K>) - 1);
    return b == HALF - 1 ? HALF : b;
}

// ---- sorting ----

// Moves items to their places and gathers them for the threads: TO as in exchange.ck.
fn __move<const TO: u32, T: type, const N: u32>(items: T[N], ranks: u32[N]) -> T[N] {
    shared all: T[block.size * N + block.size * N / 32 + 1];
    unroll for (k in 0..N) all[__padded<N>(ranks[k])] = items[k];
    block.sync();
    return __read_own<TO, N>(ptr<T, shared>(address(all[0])));
}
struct __None { none: u8; }
fn __move_values<const TO: u32, const N: u32>(values: __None, ranks: u32[N]) -> __None = values;
fn __move_values<const TO: u32, V: type, const N: u32>(values: V[N], ranks: u32[N]) -> V[N] = __move<TO>(values, ranks);
fn __arrange<const FROM: u32, const TO: u32>(values: __None) -> __None = values;
fn __arrange<const FROM: u32, const TO: u32, V: type, const N: u32>(values: V[N]) -> V[N] = __exchange<FROM, TO>(values);

// HOW encodes a pass: its bits + 256 * the rank's algorithm + 65536 * that rank's scan; 0 selects
// the best. The rank determines the arrangement of the items; FROM and TO as in exchange.ck.
fn __counts(how: u32) -> bool = how / 256 % 256 == basic || how / 256 % 256 == memoize;
fn __ranked(how: u32) -> u32 = __counts(how) ? 0 : 2;
// Completes HOW with the fastest choice (measured on an H200); V is the type of all values of a
// thread, or __None. A thread's own counters need few bits a pass and therefore more passes: that
// pays for many small items. Where many warps scan, a scan by each warp takes fewer registers than
// one for all, so more blocks are resident.
fn __fastest<const HOW: u32, T: type, const N: u32, V: type>() -> u32 {
    const BITS: u32 = HOW % 256;
    const BYTES: u32 = sizeof<T> + sizeof<V> / N;
    // 5 bits need 68 bytes of counters a thread: too much shared memory for larger blocks
    const FIVE = block.size <= 512;
    const MOST: u32 = N > 4 ? 12 : N < 4 ? 0 : block.size > 256 ? 8 : 4;
    const FITS = __counts_fit<N>() && (BITS > 0 ? BITS <= (FIVE ? 5 : 4) : BYTES <= MOST);
    const WORD: u32 = HOW / 256 % 256 > 0 ? HOW / 256 % 256 : FITS ? memoize : match;
    const COUNTS = WORD == basic || WORD == memoize;
    const BY_COUNTS: u32 = HOW == 0 && FIVE && (N >= 16 || BYTES > 8) ? 5 : 4;
    const BY_MATCH: u32 = block.size >= 64 ? 8 : block.size >= 32 ? 6 : 4;
    const SCAN: u32 = HOW / 65536 > 0 ? HOW / 65536 : COUNTS && (block.size >= 256 || N >= 16) ? warp_scans : 0;
    return (BITS > 0 ? BITS : __is_serial() ? 8 : COUNTS ? BY_COUNTS : BY_MATCH) + 256 * WORD + 65536 * SCAN;
}
fn __arranged<const FROM: u32, const TO: u32, V: type>(values: V) -> V {
    comptime if (FROM == TO) return values;
    else return __arrange<FROM, TO>(values);
}

// ---- on the host, where one thread sorts for all ----

// If the items leave no room in shared memory for the places as well, the host sorts as a GPU does.
fn __is_sorted_serially<T: type, const N: u32>() -> bool = __is_serial() && block.size * N * (sizeof<T> + 4) <= 131072;

// Sorts the places of `all` by bits `begin` to `end` - 1 of key(all[place]). FEW: insertion sort.
// Otherwise a radix sort, in which each pass reads one half of `places` and writes the other;
// __sorted_half gives the result's half.
const __FEW: u32 = 64;
fn __sorted_half<const COUNT: u32>(begin: u32, end: u32) -> u32 = COUNT > __FEW && begin < end ? COUNT * ((end - begin + 7) / 8 % 2) : 0;
fn __insert_places<const COUNT: u32, T: type, F: fn>(all: in T[], places: inout u16[], key: F, begin: u32, end: u32) {
    for (i in 0..COUNT) {
        let mine = key(all[i]);
        let bits: u32 = 8 * (sizeof(mine));
        var at = i;
        while (begin < end && at > 0 && key(all[places[at - 1]]) << (bits - end) >> (bits - end + begin) > mine << (bits - end) >> (bits - end + begin)) {
            places[at] = places[at - 1];
            at -= 1;
        }
        places[at] = u16(i);
    }
}
fn __count_places<const COUNT: u32, T: type, F: fn>(all: in T[], places: inout u16[], next: inout u32[], key: F, begin: u32, end: u32) {
    for (i in 0..COUNT) places[i] = u16(i);
    var (from, to) = (0u32, COUNT);
    for (bit in (begin..end).step(8)) {
        let mask = (1u32 << min(8, end - bit)) - 1;
        for (d in 0..256u32) next[d] = 0;
        for (i in 0..COUNT) next[u32(key(all[i]) >> bit) & mask] += 1;
        var sum = 0u32;
        for (d in 0..256u32) {
            let number = next[d];
            next[d] = sum;
            sum += number;
        }
        for (i in 0..COUNT) {
            let place = places[from + i];
            let d = u32(key(all[place]) >> bit) & mask;
            places[to + next[d]] = place;
            next[d] += 1;
        }
        (from, to) = (to, from);
    }
}
fn __fetch_values<const N: u32>(values: __None, from: u32[N]) -> __None = values;
fn __fetch_values<V: type, const N: u32>(values: V[N], from: u32[N]) -> V[N] = __fetch(values, from);
fn __passes_serial<T: type, const N: u32, V: type, F: fn>(items: T[N], values: V, key: F, begin: u32, end: u32) -> (T[N], V) {
    const COUNT = block.size * N;
    shared all: T[COUNT];
    shared places: u16[2 * COUNT];
    shared next: u32[256];
    let first = thread.rank * N;
    unroll for (k in 0..N) all[first + k] = items[k];
    block.sync();
    if (thread.rank == 0) {
        comptime if (COUNT <= __FEW) __insert_places<COUNT>(all, places, key, begin, end);
        else __count_places<COUNT>(all, places, next, key, begin, end);
    }
    block.sync();
    let at = first + __sorted_half<COUNT>(begin, end);
    var from: u32[N];
    var r: T[N];
    unroll for (k in 0..N) {
        from[k] = u32(places[at + k]);
        r[k] = all[from[k]];
    }
    return (r, __fetch_values(values, from));
}

// Sorts by bits `begin` to `end` - 1 of key(item). HOW is complete.
fn __radix_passes<const HOW: u32, T: type, const N: u32, V: type, F: fn>(items: T[N], values: V, key: F, begin: u32, end: u32) -> (T[N], V) {
    comptime if (__is_sorted_serially<T, N>()) {
        return __passes_serial(items, values, key, begin, end);
    } else {
        const BITS: u32 = HOW % 256;
        const AT = __ranked(HOW);
        var k = items;
        var v = values;
        var bit = begin;
        while (bit < end) {
            let mask = (1u32 << min(BITS, end - bit)) - 1;
            var digits: u32[N];
            unroll for (i in 0..N) digits[i] = u32(key(k[i]) >> bit) & mask;
            let ranks = __radix_rank<BITS, HOW / 256 % 256, HOW / 65536>(digits);
            k = __move<AT>(k, ranks);
            v = __move_values<AT>(v, ranks);
            bit += BITS;
        }
        return (k, v);
    }
}
fn __sort_bits<const TO: u32, const HOW: u32, K: type, B: int, const N: u32, V: type>(like: K, keys: B[N], values: V, flip: B, begin: u32, end: u32) -> (B[N], V) {
    const BEST = __fastest<HOW, B, N, V>();
    const AT = __is_sorted_serially<B, N>() ? 0 : __ranked(BEST);
    let (k, v) = __radix_passes<BEST>(__arranged<0, AT>(keys), __arranged<0, AT>(values), |k| __digits(like, k) ^ flip, begin, end);
    return (__arranged<AT, TO>(k), __arranged<AT, TO>(v));
}

// ---- by all bits, without a named algorithm ----

// Is a sorting network faster for N keys of this size a thread? Measured on an H200.
fn __by_network<const HOW: u32, const BYTES: u32, const N: u32, const HAS_VALUES: bool>() -> bool {
    const MOST: u32 = N <= 2 ? 2048 : N <= 8 ? 1024 : 0;
    return !__is_serial() && HOW == 0 && BYTES >= 4 && N <= 16 && (N & (N - 1)) == 0 && block.size % 32 == 0 && (!HAS_VALUES || block.size * N <= MOST);
}

// The network separates -0 and 0, though they are equal and must stay in input order. This gives
// the zeros of `sorted` the signs that they have in `keys`, in order. Nothing to do for integers.
fn __zeros_in_order<K: type, B: int, const N: u32>(like: K, keys: B[N], sorted: B[N], flip: B) -> B[N] = sorted;
fn __zeros_in_order<K: float, B: int, const N: u32>(like: K, keys: B[N], sorted: B[N], flip: B) -> B[N] {
    const ZERO = B(1) << (8 * (sizeof<K>) - 1);
    var is_negative = false;
    unroll for (k in 0..N) is_negative = is_negative || keys[k] == ZERO - 1;
    if (!block.any(is_negative)) return sorted;
    shared negative: bool[block.size * N];
    var count = 0u32; // lower 16 bits: zeros; upper 16 bits: keys that sort before zero
    unroll for (k in 0..N) {
        let digits = __digits(like, keys[k]);
        count += digits == ZERO ? 1 : (digits ^ flip) < (ZERO ^ flip) ? 65536 : 0;
    }
    let (before, total) = block.exclusive_scan_total(count, +);
    var place = before % 65536;
    unroll for (k in 0..N) {
        if (__digits(like, keys[k]) == ZERO) {
            negative[place] = keys[k] == ZERO - 1;
            place += 1;
        }
    }
    block.sync();
    var r = sorted;
    unroll for (k in 0..N) {
        if (__digits(like, r[k]) == ZERO) r[k] = negative[thread.rank * N + k - total / 65536] ? ZERO - 1 : ZERO;
    }
    return r;
}

// A key's digits, its position, and whether it is -0: no two are equal, which makes the network
// stable.
struct __Placed { digits: u64; place: u32; }
fn __placed(digits: u32, place: u32) -> u64 = u64(digits) << 32 | u64(place);
fn __placed(digits: u64, place: u32) -> __Placed = __Placed(digits, place);
fn __digits_of(v: u64) -> u32 = u32(v >> 32);
fn __digits_of(v: __Placed) -> u64 = v.digits;
fn __place_of(v: u64) -> u32 = u32(v);
fn __place_of(v: __Placed) -> u32 = v.place;
fn __stands_before(a: u64, b: u64) -> bool = a < b;
fn __stands_before(a: __Placed, b: __Placed) -> bool = a.digits < b.digits || (a.digits == b.digits && a.place < b.place);
fn __sort_placed<P: type, K: type, B: int, const N: u32>(first: P, like: K, keys: B[N], flip: B) -> (B[N], u32[N]) {
    var v: P[N];
    unroll for (k in 0..N) {
        let digits = __digits(like, keys[k]);
        v[k] = __placed(digits ^ flip, (thread.rank * N + k) * 2 + u32(digits != keys[k]));
    }
    v = __bitonic<true, block.size>(v, __stands_before);
    var sorted: B[N];
    var from: u32[N];
    unroll for (k in 0..N) {
        sorted[k] = (__digits_of(v[k]) ^ flip) - B(__place_of(v[k]) & 1);
        from[k] = __place_of(v[k]) >> 1;
    }
    return (sorted, from);
}

// Sorts keys and values; large values move only once, at the end, from their original positions.
fn __sort_all<const TO: u32, const HOW: u32, K: type, B: int, const N: u32>(like: K, keys: B[N], values: __None, flip: B) -> (B[N], __None) {
    comptime if (__by_network<HOW, sizeof<K>, N, false>()) {
        var k = keys;
        unroll for (i in 0..N) k[i] ^= flip;
        k = __bitonic<true, block.size>(k, <);
        unroll for (i in 0..N) k[i] ^= flip;
        return (__exchange<0, TO>(__zeros_in_order(like, keys, k, flip)), values);
    } else {
        return __sort_bits<TO, HOW>(like, keys, values, flip, 0, 8 * (sizeof<K>));
    }
}
fn __sort_all<const TO: u32, const HOW: u32, K: type, B: int, const N: u32, V: type>(like: K, keys: B[N], values: V[N], flip: B) -> (B[N], V[N]) {
    comptime if (__by_network<HOW, sizeof<K>, N, true>()) {
        let (k, from) = __sort_placed(__placed(keys[0], 0), like, keys, flip);
        return (__exchange<0, TO>(k), __fetch(values, __exchange<0, TO>(from)));
    } else comptime if (sizeof<V> > 4 && !__is_sorted_serially<B, N>()) {
        const BEST = __fastest<HOW, B, N, u32[N]>();
        const AT = __ranked(BEST);
        var from: u32[N];
        unroll for (i in 0..N) from[i] = __first<AT, N>() + i * __stride<AT>();
        let (k, sorted) = __radix_passes<BEST>(__arranged<0, AT>(keys), from, |k| __digits(like, k) ^ flip, 0, 8 * (sizeof<K>));
        return (__arranged<AT, TO>(k), __fetch(values, __arranged<AT, TO>(sorted)));
    } else {
        return __sort_bits<TO, HOW>(like, keys, values, flip, 0, 8 * (sizeof<K>));
    }
}

// The type of the numbers that represent keys of type K.
fn __keys<B: int, K: type, const N: u32>(first: B, keys: K[N]) -> B[N] {
    var b: B[N];
    unroll for (i in 0..N) b[i] = __key(keys[i]);
    return b;
}
fn __unkeys<K: type, B: int, const N: u32>(like: K, b: B[N]) -> K[N] {
    var keys: K[N];
    unroll for (i in 0..N) keys[i] = __unkey(like, b[i]);
    return keys;
}
fn __flip<B: int>(first: B, descending: bool) -> B = descending ? ~B(0) : B(0);

// Sorts by bits `begin` to `end` - 1, or by all bits.
fn __sort_window<const TO: u32, const HOW: u32, K: number, const N: u32, V: type>(keys: K[N], values: V, begin: u32, end: u32, descending: bool) -> (K[N], V) {
    static_assert(TO <= 1, "a sort leaves its result blocked or striped");
    let first = __key(keys[0]);
    let (k, v) = __sort_bits<TO, HOW>(keys[0], __keys(first, keys), values, __flip(first, descending), begin, min(end, 8 * (sizeof<K>)));
    return (__unkeys(keys[0], k), v);
}
fn __sort<const TO: u32, const HOW: u32, K: number, const N: u32, V: type>(keys: K[N], values: V, descending: bool) -> (K[N], V) {
    static_assert(TO <= 1, "a sort leaves its result blocked or striped");
    let first = __key(keys[0]);
    let (k, v) = __sort_all<TO, HOW>(keys[0], __keys(first, keys), values, __flip(first, descending));
    return (__unkeys(keys[0], k), v);
}

fn block.radix_sort<const to: u32 = 0, const how: u32 = 0, K: number, const N: u32>(keys: K[N], descending: bool = false, const bits: u32 = 0, const scan: u32 = 0) -> K[N] =
    __sort<to, bits + 256 * how + 65536 * scan>(keys, __None(0), descending)[0];
fn block.radix_sort<const to: u32 = 0, const how: u32 = 0, K: number, const N: u32>(keys: K[N], begin_bit: u32, end_bit: u32 = 64, descending: bool = false, const bits: u32 = 0, const scan: u32 = 0) -> K[N] =
    __sort_window<to, bits + 256 * how + 65536 * scan>(keys, __None(0), begin_bit, end_bit, descending)[0];
fn block.radix_sort<const to: u32 = 0, const how: u32 = 0, K: number, const N: u32>(keys: K[N], end_bit: u32, descending: bool = false, const bits: u32 = 0, const scan: u32 = 0) -> K[N] =
    __sort_window<to, bits + 256 * how + 65536 * scan>(keys, __None(0), 0, end_bit, descending)[0];
fn block.radix_sort<const to: u32 = 0, const how: u32 = 0, K: number, V: type, const N: u32>(keys: K[N], values: V[N], descending: bool = false, const bits: u32 = 0, const scan: u32 = 0) -> (K[N], V[N]) =
    __sort<to, bits + 256 * how + 65536 * scan>(keys, values, descending);
fn block.radix_sort<const to: u32 = 0, const how: u32 = 0, K: number, V: type, const N: u32>(keys: K[N], values: V[N], begin_bit: u32, end_bit: u32 = 64, descending: bool = false, const bits: u32 = 0, const scan: u32 = 0) -> (K[N], V[N]) =
    __sort_window<to, bits + 256 * how + 65536 * scan>(keys, values, begin_bit, end_bit, descending);
fn block.radix_sort<const to: u32 = 0, const how: u32 = 0, K: number, V: type, const N: u32>(keys: K[N], values: V[N], end_bit: u32, descending: bool = false, const bits: u32 = 0, const scan: u32 = 0) -> (K[N], V[N]) =
    __sort_window<to, bits + 256 * how + 65536 * scan>(keys, values, 0, end_bit, descending);

// With valid = n: the keys after the first n are treated as the last of the order. As the sort is
// stable, they come after keys equal to them, and they and their values stay where they are.
fn __last_key<B: int, K: type>(like: K, descending: bool) -> B = descending ? B(0) : ~B(0) >> (8 * (sizeof<B> - sizeof<K>));
fn __valid_keys<B: int, K: type, const N: u32>(first: B, keys: K[N], descending: bool, valid: u32) -> B[N] {
    var b = __keys(first, keys);
    unroll for (i in 0..N) {
        if (thread.rank * N + i >= valid) b[i] = __last_key<B>(keys[0], descending);
    }
    return b;
}
fn __keep_behind<const TO: u32, K: type, const N: u32>(sorted: K[N], keys: K[N], valid: u32) -> K[N] {
    var r = sorted;
    comptime if (TO == 0) {
        unroll for (i in 0..N) {
            if (thread.rank * N + i >= valid) r[i] = keys[i];
        }
    }
    return r;
}
fn __sort_window<const TO: u32, const HOW: u32, K: number, const N: u32, V: type>(keys: K[N], values: V, begin: u32, end: u32, descending: bool, valid: u32) -> (K[N], V) {
    static_assert(TO <= 1, "a sort leaves its result blocked or striped");
    let first = __key(keys[0]);
    let (k, v) = __sort_bits<TO, HOW>(keys[0], __valid_keys(first, keys, descending, valid), values, __flip(first, descending), begin, min(end, 8 * (sizeof<K>)));
    return (__keep_behind<TO>(__unkeys(keys[0], k), keys, valid), v);
}
fn __sort<const TO: u32, const HOW: u32, K: number, const N: u32, V: type>(keys: K[N], values: V, descending: bool, valid: u32) -> (K[N], V) {
    static_assert(TO <= 1, "a sort leaves its result blocked or striped");
    let first = __key(keys[0]);
    let (k, v) = __sort_all<TO, HOW>(keys[0], __valid_keys(first, keys, descending, valid), values, __flip(first, descending));
    return (__keep_behind<TO>(__unkeys(keys[0], k), keys, valid), v);
}
fn block.radix_sort<const to: u32 = 0, const how: u32 = 0, K: number, const N: u32>(keys: K[N], descending: bool = false, valid: u32, const bits: u32 = 0, const scan: u32 = 0) -> K[N] =
    __sort<to, bits + 256 * how + 65536 * scan>(keys, __None(0), descending, valid)[0];
fn block.radix_sort<const to: u32 = 0, const how: u32 = 0, K: number, const N: u32>(keys: K[N], begin_bit: u32, end_bit: u32 = 64, descending: bool = false, valid: u32, const bits: u32 = 0, const scan: u32 = 0) -> K[N] =
    __sort_window<to, bits + 256 * how + 65536 * scan>(keys, __None(0), begin_bit, end_bit, descending, valid)[0];
fn block.radix_sort<const to: u32 = 0, const how: u32 = 0, K: number, V: type, const N: u32>(keys: K[N], values: V[N], descending: bool = false, valid: u32, const bits: u32 = 0, const scan: u32 = 0) -> (K[N], V[N]) =
    __sort<to, bits + 256 * how + 65536 * scan>(keys, values, descending, valid);
fn block.radix_sort<const to: u32 = 0, const how: u32 = 0, K: number, V: type, const N: u32>(keys: K[N], values: V[N], begin_bit: u32, end_bit: u32 = 64, descending: bool = false, valid: u32, const bits: u32 = 0, const scan: u32 = 0) -> (K[N], V[N]) =
    __sort_window<to, bits + 256 * how + 65536 * scan>(keys, values, begin_bit, end_bit, descending, valid);
