// Bit operations of 64 bits and of vectors; bytes chosen by number.
// RUN: %run-test %s
// FOR: v in 0, 1, -1, -9223372036854775808, 9223372036854775807, 1311768467463790320
// FOR: w in 1, -1, -9223372036854775808, 81985529216486895
// CALL: k(a=v, b=w, y=zeros:5, u=zeros:5, s=zeros:3)
// EXPECT: y = [max(min(v + w, 2**63 - 1), -2**63), max(min(v - w, 2**63 - 1), -2**63), (v >> 32) * (w >> 32) + ((t := (v >> 32) * (w % 2**32) + ((v % 2**32) * (w % 2**32) >> 32)) >> 32) + ((v % 2**32) * (w >> 32) + t % 2**32 >> 32), i64(sum((v >> i & 255) << 56 - i for i in range(0, 64, 8))), sum(u64(v) >> i == 0 for i in range(64))]
// EXPECT: u = [(p := u64(v) >> 32) * (q := u64(w) >> 32) + ((t := p * (w % 2**32) + ((v % 2**32) * (w % 2**32) >> 32)) >> 32) + ((v % 2**32) * q + t % 2**32 >> 32), u64(v << 7) + (u64(w) >> 57), (u64(v) >> 7) + u64(v << 57), sum(v >> i & 1 for i in range(64)), min(u64(v) + u64(w), 2**64 - 1)]
// EXPECT: s = [0xaa4400ff, 3, 2]
kernel k(a: i64, b: i64, y: out i64[5], u: out u64[5], s: out u32[3]) launch(block = 1, grid = 1)
{
    y[0] = add_sat(a, b);
    y[1] = sub_sat(a, b);
    y[2] = mul_hi(a, b);
    y[3] = bswap(a);
    y[4] = i64(clz(a));
    u[0] = mul_hi(u64(a), u64(b));
    u[1] = funnel_left(u64(a), u64(b), 7);
    u[2] = rotate_right(u64(a), 7);
    u[3] = popcount(u64(a));
    u[4] = add_sat(u64(a), u64(b));
    s[0] = byte_perm(0x11223344, 0x8899aabb, 0x508f + u32(a) * 0);
    let c = popcount(u32x2(7, 3));
    s[1] = c.x;
    s[2] = c.y;
}
