// Bit operations over edges and random values, against Python's integers.
// RUN: %run-test %s
// FOR: v in 0, 1, 0x80000000, 0xffffffff, 0x12345678, 0..4294967295
// FOR: n in 0, 1, 31, 33
// CALL: k(a=v, b=(v * 2654435761 + 12345) % 2**32, n=n, y=zeros:12, z=zeros:7)
// EXPECT: y = [bin(v)[2:].count('1'), 32 - len(bin(v)[2:].lstrip('0')), len(bin(v | 2**32)) - len(bin(v | 2**32).rstrip('0')), int(np.array([v], 'u4').byteswap()[0]), int((bin(v + 2**32)[3:])[::-1], 2), ((v << 32 | b) << n % 32 >> 32) % 2**32, ((v << 32 | b) >> n % 32) % 2**32, ((v << 32 | v) << n % 32 >> 32) % 2**32, v * b >> 32, min(v + b, 2**32 - 1), max(v - b, 0), sum([(v >> s & 255) * (b >> s & 255) for s in [0, 8, 16, 24]]) + n]
// EXPECT: z = [max(min(i + j, 2**31 - 1), -2**31) for i in [(v ^ 2**31) - 2**31] for j in [(b ^ 2**31) - 2**31]] + [max(min(i - j, 2**31 - 1), -2**31) for i in [(v ^ 2**31) - 2**31] for j in [(b ^ 2**31) - 2**31]] + [i * j >> 32 for i in [(v ^ 2**31) - 2**31] for j in [(b ^ 2**31) - 2**31]] + [sum([((v >> s & 255 ^ 128) - 128) * ((b >> s & 255 ^ 128) - 128) for s in [0, 8, 16, 24]]) - n] + [8 - len(bin(v & 255)[2:].lstrip('0')), bin(v & 65535)[2:].count('1'), max(min((v & 255 ^ 128) - 128 + (b & 255 ^ 128) - 128, 127), -128)]
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
