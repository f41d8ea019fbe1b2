// fma of f16 and bf16 rounds once, where a sum in f32 or f64 would land on a tie.
// RUN: %run-test %s
// TOLERANCE: exact
// CALL: fused(a=[1.0009765625, 2.0, 65504.0, 1.0], b=[1.0, 1.0, 1.0, 65504.0], c=[0.00048828125, 5.9604644775390625e-08, 16.0, -65504.0], h=zeros:4, p=[1.0078125, 1.0078125, -1.0078125, 2e38], q=[1.0, 1.5, 1.5, 4.0], r=[0.00390625, 1e-37, 1e-37, 1.0], s=zeros:4)
// EXPECT: h = [1.001953125, 2.0, inf, 0.0]
// EXPECT: s = [1.01171875, 1.0078125 * 1.5 + 1e-15, -1.0078125 * 1.5 + 1e-15, inf]
kernel fused(a: in f16[4], b: in f16[4], c: in f16[4], h: out f16[4],
             p: in bf16[4], q: in bf16[4], r: in bf16[4], s: out bf16[4])
    launch(block = 4, grid = 1)
{
    let i = thread.x;
    h[i] = fma(a[i], b[i], c[i]);
    s[i] = fma(p[i], q[i], r[i]);
}
