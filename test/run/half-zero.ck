// Zero as a constant of a half type is zero, also where it is one of two.
// RUN: %run-test %s
// CALL: k(x=[1, 2, 3, 4], y=zeros:4, z=zeros:4, b=zeros:2)
// EXPECT: y = [0, 0, 3, 4]
// EXPECT: z = [0, 0, 3, 4]
// EXPECT: b = [0, 0x8000]
kernel k(x: in f16[4], y: out f32[4], z: out f64[4], b: out u16[2]) launch(block = 4, grid = 1)
{
    let t = thread.rank;
    y[t] = f32(x[t] < 3 ? 0.0f16 : x[t]);
    z[t] = f64(x[t] < 3 ? f16(f64(-0.0f16)) : x[t]);
    if (t == 0) b[0] = bit_cast<u16>(0.0f16);
    if (t == 0) b[1] = bit_cast<u16>(-0.0f16);
}
