// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block/radix.ck - sorting by the bits of the keys.
//
// block.radix_sort<to, how>(keys), block.radix_sort<to, how>(keys, values), with begin_bit = 0,
// end_bit = all, descending = false; and constants, `bits` of a pass and `scan = word`.
//
//   shape         any block of constant size; N keys a thread of any integer or float type
//   arrangement   blocked, in and out: thread t has the keys t * N to t * N + N - 1 of the order.
//                 radix_sort<striped>: the result is striped, without the way back
//   called by     all threads of the block, with the same window of bits
//   result        sorted, stable; (keys, values) where there are values. Of floats -0 and 0 are
//                 equal, a NaN stands by its sign before or behind all numbers, as in CUB
//   how           how a pass ranks its digits: match, match_early_counts_any, basic or memoize, as
//                 rank.ck says; bits: of a digit, 1 to 8; scan: how counts are scanned. Without them:
//                 match of 8 bits (6 in blocks below 128 threads, 4 below 32), or the network; of basic
//                 and memoize 4 bits
//   shared bytes  the larger of the keys or the values, 1/32 more, and a scan's with 1 KB a warp (256
//                 bytes in blocks below 128 threads, 64 below 32). The network: the keys. With `how` or
//                 `bits` that of the rank
//   steps         a pass for every 8 bits of the window (6 in blocks below 128 threads, 4 below
//                 32): 8 votes a key, a scan over 256 counts, an exchange. All bits of integers of 4
//                 or 8 bytes, without values, in blocks of whole warps, 1, 2, 4, 8 or 16 a thread:
//                 the network of bitonic.ck, but with `how`, `bits` or `scan`
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
//   COST: 4112 bytes, 19 barriers

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

// And back; `like` says the type.
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

// What digits are taken of: -0 has those of 0.
fn __digits<K: int, B: int>(like: K, b: B) -> B = b;
fn __digits<B: int>(like: bool, b: B) -> B = b;
fn __digits<K: float, B: int>(like: K, b: B) -> B {
    const HALF = B(1) << (8 * (sizeof<K>) - 1);
    return b == HALF - 1 ? HALF : b;
}

// ---- sorting ----

// To their places, and from there to the threads: TO as in exchange.ck.
fn __move<const TO: u32, T: type, const N: u32>(items: T[N], ranks: u32[N]) -> T[N] {
    shared all: T[block.size * N + block.size * N / 32 + 1];
    unroll for (k in 0..N) all[__padded<N>(ranks[k])] = items[k];
    block.sync();
    var r: T[N];
    let (first, by) = (__first<TO, N>(), __stride<TO>());
    unroll for (k in 0..N) r[k] = all[__padded<N>(first + k * by)];
    return r;
}
struct __None { none: u8; }
fn __move_values<const TO: u32, const N: u32>(values: __None, ranks: u32[N]) -> __None = values;
fn __move_values<const TO: u32, V: type, const N: u32>(values: V[N], ranks: u32[N]) -> V[N] = __move<TO>(values, ranks);
fn __arrange<const FROM: u32, const TO: u32>(values: __None) -> __None = values;
fn __arrange<const FROM: u32, const TO: u32, V: type, const N: u32>(values: V[N]) -> V[N] = __exchange<FROM, TO>(values);

// HOW, of a pass: its bits, 256 times the word of its rank, 65536 times that of the scan there; 0: what
// is best. The rank says which arrangement the items are in; FROM and TO as in exchange.ck.
fn __counts(how: u32) -> bool = how / 256 % 256 == basic || how / 256 % 256 == memoize;
fn __ranked(how: u32) -> u32 = __counts(how) ? 0 : 2;
fn __arranged<const FROM: u32, const TO: u32, V: type>(values: V) -> V {
    comptime if (FROM == TO) return values;
    else return __arrange<FROM, TO>(values);
}

// Sorts by bits `begin` to `end` - 1 of key(item).
fn __radix_passes<const HOW: u32, T: type, const N: u32, V: type, F: fn>(items: T[N], values: V, key: F, begin: u32, end: u32) -> (T[N], V) {
    const BEST: u32 = block.size >= 128 ? 8 : block.size >= 32 ? 6 : 4;
    const BITS: u32 = HOW % 256 > 0 ? HOW % 256 : __counts(HOW) ? 4 : BEST;
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
fn __sort_bits<const TO: u32, const HOW: u32, K: type, B: int, const N: u32, V: type>(like: K, keys: B[N], values: V, flip: B, begin: u32, end: u32) -> (B[N], V) {
    const AT = __ranked(HOW);
    let (k, v) = __radix_passes<HOW>(__arranged<0, AT>(keys), __arranged<0, AT>(values), |k| __digits(like, k) ^ flip, begin, end);
    return (__arranged<AT, TO>(k), __arranged<AT, TO>(v));
}
fn __sort<const TO: u32, const HOW: u32, K: type, B: int, const N: u32, V: type>(like: K, keys: B[N], values: V, raw: K[N], begin: u32, end: u32, descending: bool) -> (K[N], V) {
    static_assert(TO <= 1, "a sort leaves its result blocked or striped");
    let flip = descending ? ~B(0) : B(0);
    let (k, v) = __sort_bits<TO, HOW>(like, keys, values, flip, begin, min(end, 8 * (sizeof<K>)));
    var r: K[N];
    unroll for (i in 0..N) r[i] = __unkey(like, k[i]);
    return (r, v);
}
fn __keys<B: int, K: type, const N: u32>(first: B, keys: K[N]) -> B[N] {
    var b: B[N];
    unroll for (i in 0..N) b[i] = __key(keys[i]);
    return b;
}

fn __sort_window<const TO: u32, const HOW: u32, K: number, const N: u32>(keys: K[N], begin: u32, end: u32, descending: bool) -> K[N] =
    __sort<TO, HOW>(keys[0], __keys(__key(keys[0]), keys), __None(0), keys, begin, end, descending)[0];
// By all bits, and without values, equal keys are the same: a network needs not be stable.
fn __sort_whole<const TO: u32, const HOW: u32, K: float, const N: u32>(keys: K[N], descending: bool) -> K[N] = __sort_window<TO, HOW>(keys, 0, 64, descending);
fn __sort_whole<const TO: u32, const HOW: u32, K: int, const N: u32>(keys: K[N], descending: bool) -> K[N] {
    const BY_NETWORK = HOW == 0 && (sizeof<K>) >= 4 && N <= 16 && (N & (N - 1)) == 0 && block.size % 32 == 0;
    comptime if (BY_NETWORK) {
        static_assert(TO <= 1, "a sort leaves its result blocked or striped");
        let flip = descending ? ~K(0) : K(0);
        var k = keys;
        unroll for (i in 0..N) k[i] ^= flip;
        k = __bitonic<true, block.size>(k, <);
        unroll for (i in 0..N) k[i] ^= flip;
        return __exchange<0, TO>(k);
    } else {
        return __sort_window<TO, HOW>(keys, 0, 64, descending);
    }
}

fn block.radix_sort<const to: u32 = 0, const how: u32 = 0, K: number, const N: u32>(keys: K[N], descending: bool = false, const bits: u32 = 0, const scan: u32 = 0) -> K[N] =
    __sort_whole<to, bits + 256 * how + 65536 * scan>(keys, descending);
fn block.radix_sort<const to: u32 = 0, const how: u32 = 0, K: number, const N: u32>(keys: K[N], begin_bit: u32, end_bit: u32 = 64, descending: bool = false, const bits: u32 = 0, const scan: u32 = 0) -> K[N] =
    __sort_window<to, bits + 256 * how + 65536 * scan>(keys, begin_bit, end_bit, descending);
fn block.radix_sort<const to: u32 = 0, const how: u32 = 0, K: number, const N: u32>(keys: K[N], end_bit: u32, descending: bool = false, const bits: u32 = 0, const scan: u32 = 0) -> K[N] =
    __sort_window<to, bits + 256 * how + 65536 * scan>(keys, 0, end_bit, descending);
fn block.radix_sort<const to: u32 = 0, const how: u32 = 0, K: number, V: type, const N: u32>(keys: K[N], values: V[N], begin_bit: u32 = 0, end_bit: u32 = 64, descending: bool = false, const bits: u32 = 0, const scan: u32 = 0) -> (K[N], V[N]) =
    __sort<to, bits + 256 * how + 65536 * scan>(keys[0], __keys(__key(keys[0]), keys), values, keys, begin_bit, end_bit, descending);
