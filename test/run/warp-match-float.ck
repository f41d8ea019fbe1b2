// Floats match bit for bit: NaN matches itself, 0 does not match -0.
// RUN: %run-test %s
// CALL: k(x=[nan, 1.5, -0.0, 0.0] * 8, y=zeros:32, z=zeros:32)
// EXPECT: y = [0x11111111 << (i % 4) for i in range(32)]
// EXPECT: z = [[5, 10][i % 2] + 16 * (i < 4) for i in range(32)]
kernel k(x: in f32[32], y: out u32[32], z: inout u32[32]) launch(block = 32, grid = 1)
{
    let i = thread.x;
    y[i] = warp.match_any(x[i]);
    z[i] = warp.tile<4>.match_any(f16(i % 2)) + 16 * u32(warp.tile<4>.match_all(f64(i / 4)) && i < 4);
    z[i] += u32(warp.match_all(bf16(i)));
}
