// Conversions to f16 and bf16 round once, from f64 and long integers too: ties and what nearly is one.
// RUN: %run-test %s
// TOLERANCE: exact
// FOR: e in -30, -25, -24, -15, -14, 0, 10, 15, 16
// CALL: floats(n=12, x=[s * 2.0**e * m * (1 + d) for s in [1, -1] for m in [1 + 2.0**-11, 1 + 3 * 2.0**-11] for d in [0, 2.0**-40, -2.0**-40]], h=zeros:12, b=zeros:12)
// EXPECT: h = x
// EXPECT: b = x
// FOR: e in -150, -140, -134, -133, -126, 0, 100, 127, 128
// CALL: floats(n=12, x=[s * 2.0**e * m * (1 + d) for s in [1, -1] for m in [1 + 2.0**-8, 2 - 2.0**-8] for d in [0, 2.0**-40, -2.0**-40]], h=zeros:12, b=zeros:12)
// EXPECT: h = x
// EXPECT: b = x
// CALL: floats(n=8, x=[inf, -inf, nan, 0.0, 65519.99999, 65520.0, 1e300, 5e-324], h=zeros:8, b=zeros:8)
// EXPECT: h = x
// EXPECT: b = x
// FOR: e in 0, 3, 9, 12, 23, 24, 30, 31, 40, 52, 53, 61
// CALL: integers(n=6, x=[s * ((m << e) // 256 + d) for s in [1, -1] for m, d in [[257, 0], [257, 1], [257, -1]]], h=zeros:6, b=zeros:6, k=zeros:6)
// EXPECT: h = x
// EXPECT: b = x
// EXPECT: k = f16(i32(x)) + bf16(i32(x))
kernel floats(n: u32, x: in f64[n], h: out f16[n], b: out bf16[n]) launch(block = 12, grid = 1)
{
    if (thread.x >= n) return;
    h[thread.x] = f16(x[thread.x]);
    b[thread.x] = bf16(x[thread.x]);
}
kernel integers(n: u32, x: in i64[n], h: out f16[n], b: out bf16[n], k: out f64[n]) launch(block = 12, grid = 1)
{
    if (thread.x >= n) return;
    h[thread.x] = f16(x[thread.x]);
    b[thread.x] = bf16(x[thread.x]);
    k[thread.x] = f64(f16(i32(x[thread.x]))) + f64(bf16(i32(x[thread.x])));
}
