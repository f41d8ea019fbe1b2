// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bits.ck - bit operations on integers, and arithmetic that keeps what the operators drop: upper
// halves of products, saturation.

// The number of set bits.
fn popcount(x: u32) -> u32 = __popc32(x);
fn popcount(x: i32) -> u32 = __popc32(u32(x));
fn popcount(x: u64) -> u32 = u32(__popc64(x));
fn popcount(x: i64) -> u32 = u32(__popc64(u64(x)));
fn popcount(x: u8) -> u32 = __popc32(x);
fn popcount(x: i8) -> u32 = __popc32(u8(x));
fn popcount(x: u16) -> u32 = __popc32(x);
fn popcount(x: i16) -> u32 = __popc32(u16(x));

// The number of leading zeros; the width for 0.
fn clz(x: u32) -> u32 = __clz32(x);
fn clz(x: i32) -> u32 = __clz32(u32(x));
fn clz(x: u64) -> u32 = u32(__clz64(x));
fn clz(x: i64) -> u32 = u32(__clz64(u64(x)));
fn clz(x: u8) -> u32 = __clz32(x) - 24;
fn clz(x: i8) -> u32 = __clz32(u8(x)) - 24;
fn clz(x: u16) -> u32 = __clz32(x) - 16;
fn clz(x: i16) -> u32 = __clz32(u16(x)) - 16;

// The number of trailing zeros; the width for 0.
fn ctz(x: u32) -> u32 = __ctz32(x);
fn ctz(x: i32) -> u32 = __ctz32(u32(x));
fn ctz(x: u64) -> u32 = u32(__ctz64(x));
fn ctz(x: i64) -> u32 = u32(__ctz64(u64(x)));
fn ctz(x: u8) -> u32 = __ctz32(x | 0x100u32);
fn ctz(x: i8) -> u32 = __ctz32(u8(x) | 0x100u32);
fn ctz(x: u16) -> u32 = __ctz32(x | 0x10000u32);
fn ctz(x: i16) -> u32 = __ctz32(u16(x) | 0x10000u32);

// Reverses the order of the bits.
fn brev(x: u32) -> u32 = u32(__brev32(x));
fn brev(x: i32) -> i32 = i32(__brev32(u32(x)));
fn brev(x: u64) -> u64 = u64(__brev64(x));
fn brev(x: i64) -> i64 = i64(__brev64(u64(x)));
fn brev(x: u8) -> u8 = u8(__brev32(x) >> 24);
fn brev(x: i8) -> i8 = i8(__brev32(u8(x)) >> 24);
fn brev(x: u16) -> u16 = u16(__brev32(x) >> 16);
fn brev(x: i16) -> i16 = i16(__brev32(u16(x)) >> 16);

// Reverses the order of the bytes.
fn bswap(x: u32) -> u32 = u32(__bswap32(x));
fn bswap(x: i32) -> i32 = i32(__bswap32(u32(x)));
fn bswap(x: u64) -> u64 = u64(__bswap64(x));
fn bswap(x: i64) -> i64 = i64(__bswap64(u64(x)));
fn bswap(x: u16) -> u16 = u16(__bswap32(x) >> 16);
fn bswap(x: i16) -> i16 = i16(__bswap32(u16(x)) >> 16);

// The upper half of hi:lo << n, and the lower half of hi:lo >> n; n is taken modulo the width. A
// GPU has funnel shifts of 32 bits (shf.l.wrap, shf.r.wrap), and one of 64 bits consists of two.
fn funnel_left(hi: u32, lo: u32, n: u32) -> u32 = __fshl32(hi, lo, n);
fn funnel_left(hi: u64, lo: u64, n: u32) -> u64 {
    comptime if (target.is_host) return __fshl64(hi, lo, u64(n));
    let is_far = (n & 32) != 0;
    let (h, m) = is_far ? (u32(hi), u32(lo >> 32)) : (u32(hi >> 32), u32(hi));
    let l = is_far ? u32(lo) : u32(lo >> 32);
    return u64(__fshl32(h, m, n)) << 32 | __fshl32(m, l, n);
}
fn funnel_right(hi: u32, lo: u32, n: u32) -> u32 = __fshr32(hi, lo, n);
fn funnel_right(hi: u64, lo: u64, n: u32) -> u64 {
    comptime if (target.is_host) return __fshr64(hi, lo, u64(n));
    let is_far = (n & 32) != 0;
    let (m, l) = is_far ? (u32(hi), u32(lo >> 32)) : (u32(lo >> 32), u32(lo));
    let h = is_far ? u32(hi >> 32) : u32(hi);
    return u64(__fshr32(h, m, n)) << 32 | __fshr32(m, l, n);
}

// Rotations; n is taken modulo the width.
fn rotate_left(x: u32, n: u32) -> u32 = __fshl32(x, x, n);
fn rotate_left(x: u64, n: u32) -> u64 = funnel_left(x, x, n);
fn rotate_left(x: u8, n: u32) -> u8 = x << n | x >> (0 - n);
fn rotate_left(x: u16, n: u32) -> u16 = x << n | x >> (0 - n);
fn rotate_right(x: u32, n: u32) -> u32 = __fshr32(x, x, n);
fn rotate_right(x: u64, n: u32) -> u64 = funnel_right(x, x, n);
fn rotate_right(x: u8, n: u32) -> u8 = x >> n | x << (0 - n);
fn rotate_right(x: u16, n: u32) -> u16 = x >> n | x << (0 - n);

// The upper half of the product of full width.
fn mul_hi(a: u32, b: u32) -> u32 = u32(u64(a) * u64(b) >> 32);
fn mul_hi(a: i32, b: i32) -> i32 = i32(i64(a) * i64(b) >> 32);
fn mul_hi(a: u64, b: u64) -> u64 = __mul_hi_u64(a, b);
fn mul_hi(a: i64, b: i64) -> i64 = __mul_hi_i64(a, b);

// Selects four of the eight bytes of b:a, which are numbered from a's lowest. Each nibble of s
// chooses a byte of the result by its lower 3 bits; if its bit 3 is set, the chosen byte's sign bit
// fills the byte.
fn byte_perm(a: u32, b: u32, s: u32) -> u32 = __byte_perm(a, b, s);

// c + the sum of the four products of bytes of a and b.
fn dp4a(a: i32, b: i32, c: i32) -> i32 = __dp4a_s(a, b, c);
fn dp4a(a: u32, b: u32, c: u32) -> u32 = __dp4a_u(a, b, c);
fn dp4a(a: i8x4, b: i8x4, c: i32) -> i32 = __dp4a_s(bit_cast<i32>(a), bit_cast<i32>(b), c);
fn dp4a(a: u8x4, b: u8x4, c: u32) -> u32 = __dp4a_u(bit_cast<u32>(a), bit_cast<u32>(b), c);

// Saturating sum and difference: limited to the range of the type.
fn add_sat(a: u32, b: u32) -> u32 = a + b < a ? ~0u32 : a + b;
fn add_sat(a: u64, b: u64) -> u64 = a + b < a ? ~0u64 : a + b;
// The sum's sign differs from both operands' where it leaves the range. PTX's add.sat.s32 and
// sub.sat.s32 are not used: ptxas simplifies sub.sat.s32 of x and y + x to -y, as if it couldn't
// saturate, and instructions in their place would be these.
fn add_sat(a: i32, b: i32) -> i32 = ((a ^ a + b) & (b ^ a + b)) < 0 ? a >> 31 ^ 0x7fff_ffff : a + b;
fn add_sat(a: i64, b: i64) -> i64 = ((a ^ a + b) & (b ^ a + b)) < 0 ? a >> 63 ^ 0x7fff_ffff_ffff_ffff : a + b;
fn add_sat(a: u8, b: u8) -> u8 = u8(min(u32(a) + u32(b), 255));
fn add_sat(a: i8, b: i8) -> i8 = i8(clamp(i32(a) + i32(b), -128, 127));
fn add_sat(a: u16, b: u16) -> u16 = u16(min(u32(a) + u32(b), 65535));
fn add_sat(a: i16, b: i16) -> i16 = i16(clamp(i32(a) + i32(b), -32768, 32767));
fn sub_sat(a: u32, b: u32) -> u32 = a < b ? 0 : a - b;
fn sub_sat(a: u64, b: u64) -> u64 = a < b ? 0 : a - b;
fn sub_sat(a: i32, b: i32) -> i32 = ((a ^ b) & (a ^ a - b)) < 0 ? a >> 31 ^ 0x7fff_ffff : a - b;
fn sub_sat(a: i64, b: i64) -> i64 = ((a ^ b) & (a ^ a - b)) < 0 ? a >> 63 ^ 0x7fff_ffff_ffff_ffff : a - b;
fn sub_sat(a: u8, b: u8) -> u8 = a < b ? 0 : a - b;
fn sub_sat(a: i8, b: i8) -> i8 = i8(clamp(i32(a) - i32(b), -128, 127));
fn sub_sat(a: u16, b: u16) -> u16 = a < b ? 0 : a - b;
fn sub_sat(a: i16, b: i16) -> i16 = i16(clamp(i32(a) - i32(b), -32768, 32767));
