// The bits of a half that was kept between two constants are its 16 bits.
// RUN: %run-test %s
kernel k(x: in f16[4], y: out u32[4], z: out u32[4], w: out u32[4]) launch(block = 4, grid = 1)
{
    let t = thread.rank;
    let bits = bit_cast<u16>(clamp(x[t], -1.0f16, 1.0f16));
    y[t] = u32(bits) % 5;
    z[t] = u32(bits);
    w[t] = u32(bit_cast<u16>(max(min(x[t], 2.0f16), 0.5f16)) < 15000 ? 1 : 2);
}
// CALL: k(x=[-3, 3, 0.5, -0.25])
// EXPECT: y = [3, 0, 1, 0]
// EXPECT: z = [48128, 15360, 14336, 46080]
// EXPECT: w = [1, 2, 1, 1]
