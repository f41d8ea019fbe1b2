// T(x, round = word): floats to integers, to narrower floats, integers to floats, and constants.
// RUN: %run-test %s
// TOLERANCE: exact
// CALL: ints(x=[2.5, -2.5, 0.2, -0.2, 1e20], a=zeros:5, b=zeros:5, c=zeros:5, d=zeros:5)
// EXPECT: a = [2, -2, 0, 0, 2147483647]
// EXPECT: b = [2, -2, 0, 0, 100000002004087734272.0]
// EXPECT: c = [3, -2, 1, 0, 9223372036854775807]
// EXPECT: d = [2, 0, 0, 0, 255]
// CALL: floats(x=[0.1, -0.1, 1e39, -1e39], lo=zeros:4, hi=zeros:4, h=zeros:4, b=zeros:4)
// EXPECT: lo = [0.0999999940395355224609375, -0.100000001490116119384765625, 3.4028234663852886e38, -inf]
// EXPECT: hi = [0.100000001490116119384765625, -0.0999999940395355224609375, inf, -3.4028234663852886e38]
// EXPECT: h = [0.0999755859375, -0.0999755859375, 65504, -65504]
// EXPECT: b = [0.10009765625, -0.099609375, inf, -3.3895313892515355e38]
// CALL: of_ints(x=[16777217, -16777217, 9007199254740993, -3], lo=zeros:4, hi=zeros:4, d=zeros:4)
// EXPECT: lo = [16777216, -16777218, 9007199254740992, -3]
// EXPECT: hi = [16777218, -16777216, 9007200328482816, -3]
// EXPECT: d = [16777217, -16777217, 9007199254740992, -3]
kernel ints(x: in f32[5], a: out i32[5], b: out f64[5], c: out i64[5], d: out u8[5]) launch(block = 5, grid = 1)
{
    let (i, v) = (thread.x, x[thread.x]);
    (a[i], b[i]) = (i32(v, round = nearest), f64(v > 1e10 ? v : f32(i32(v)), round = up));
    (c[i], d[i]) = (i64(v, round = up), u8(v, round = nearest));
}
kernel floats(x: in f64[4], lo: out f32[4], hi: out f32[4], h: out f16[4], b: out bf16[4]) launch(block = 4, grid = 1)
{
    let (i, v) = (thread.x, f64x2(x[thread.x]));
    (lo[i], hi[i]) = (f32(v.x, round = down), f32x2(v, round = up).y);
    (h[i], b[i]) = (f16(v.x, round = zero), bf16(v.x, round = up));
    static_assert(f32(0.1, round = down) < 0.1f32 && i32(-2.5, round = down) == -3);
    static_assert(f16(1e9, round = zero) == 65504 && f32(-16777217, round = up) == -16777216);
}
kernel of_ints(x: in i64[4], lo: out f32[4], hi: out f32[4], d: out f64[4]) launch(block = 4, grid = 1)
{
    let i = thread.x;
    (lo[i], hi[i]) = (f32(x[i], round = down), f32(x[i], round = up));
    d[i] = f64(x[i], round = zero);
}
