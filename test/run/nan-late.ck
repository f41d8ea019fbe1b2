// What two constants make is NaN, and not equal to itself, also where libNVVM finds them late.
// RUN: %run-test %s
// CALL: k(n=0, y=zeros:6)
// EXPECT: y = [1, 1, 1, 0, 0, 1]
kernel k(n: u32, y: out i32[6]) launch(block = 1, grid = 1)
{
    const INF = 1.0f32 / 0.0f32;
    let a = floor(0.5f32) * INF;
    let b = floor(0.5f64) / ceil(-0.5f64);
    let c = f16(65535.0f32) * floor(0.5f16);
    let d = sqrt(0.0f32) + f32(n);
    y[0] = a != a ? 1 : 0;
    y[1] = is_nan(b) ? 1 : 0;
    y[2] = c == c ? 0 : 1;
    y[3] = d != d ? 1 : 0;
    y[4] = any(f32x2(a, d) == f32x2(a, a)) ? 1 : 0;
    y[5] = all(f32x2(a, a) != f32x2(a, d)) ? 1 : 0;
}
