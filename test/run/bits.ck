// Bit operations over edges and random values, against their definitions in whole numbers.
// RUN: %run-test %s
// FOR: v in 0, 1, 0x80000000, 0xffffffff, 0x12345678, 0..4294967295
// FOR: n in 0, 1, 31, 33
// CALL: k(a=v, b=(v * 2654435761 + 12345) % 2**32, n=n, y=zeros:12, z=zeros:7)
// EXPECT: y = [sum(v >> i & 1 for i in range(32)), sum(v >> i == 0 for i in range(32)), sum(v % 2**i == 0 for i in range(1, 33)), sum((v >> i & 255) << 24 - i for i in range(0, 32, 8)), sum((v >> i & 1) << 31 - i for i in range(32)), ((v << 32 | b) << n % 32 >> 32) % 2**32, ((v << 32 | b) >> n % 32) % 2**32, ((v << 32 | v) << n % 32 >> 32) % 2**32, v * b >> 32, min(v + b, 2**32 - 1), max(v - b, 0), sum((v >> s & 255) * (b >> s & 255) for s in [0, 8, 16, 24]) + n]
// EXPECT: z = [max(min(i32(v) + i32(b), 2**31 - 1), -2**31), max(min(i32(v) - i32(b), 2**31 - 1), -2**31), i32(v) * i32(b) >> 32, sum(i8(v >> s) * i8(b >> s) for s in [0, 8, 16, 24]) - n, sum((v & 255) >> i == 0 for i in range(8)), sum(v >> i & 1 for i in range(16)), max(min(i8(v) + i8(b), 127), -128)]
kernel k(a: u32, b: u32, n: u32, y: out u32[12], z: out i32[7]) launch(block = 1, grid = 1)
{
    y[0] = popcount(a);
    y[1] = clz(a);
    y[2] = ctz(a);
    y[3] = bswap(a);
    y[4] = brev(a);
    y[5] = funnel_left(a, b, n);
    y[6] = funnel_right(a, b, n);
    y[7] = rotate_left(a, n);
    y[8] = mul_hi(a, b);
    y[9] = add_sat(a, b);
    y[10] = sub_sat(a, b);
    y[11] = dp4a(a, b, n);
    z[0] = add_sat(i32(a), i32(b));
    z[1] = sub_sat(i32(a), i32(b));
    z[2] = mul_hi(i32(a), i32(b));
    z[3] = dp4a(bit_cast<i8x4>(a), bit_cast<i8x4>(b), -i32(n));
    z[4] = i32(clz(u8(a)));
    z[5] = i32(popcount(i16(a)));
    z[6] = add_sat(i8(a), i8(b));
}
