// sinpi and cospi are exact at quarters of a turn, also far from 0; sincos gives both; saturate takes NaN to 0.
// RUN: %run-test %s
kernel quarters(n: u32, x: in f64[n], s: out f64[n], c: out f64[n], sf: out f32[n], cf: out f32[n])
    launch(block = 32, grid = 1)
{
    let i = thread.rank;
    if (i >= n) return;
    (s[i], c[i]) = sincospi(x[i]);
    (sf[i], cf[i]) = (sinpi(f32(x[i])), cospi(f32(x[i])));
}
// CALL: quarters(x=[0, 0.5, 1, 1.5, 2, -0.5, 3, 1000000.5, -3.5, 1000001])
// EXPECT: s = [0, 1, 0, -1, 0, -1, 0, 1, 1, 0]
// EXPECT: c = [1, 0, -1, 0, 1, 0, -1, 0, 0, -1]
// EXPECT: sf = [0, 1, 0, -1, 0, -1, 0, 1, 1, 0]
// EXPECT: cf = [1, 0, -1, 0, 1, 0, -1, 0, 0, -1]
// TOLERANCE: exact
kernel between(x: in f64[32], s: out f64[32], c: out f64[32], y: out f32[32]) launch(block = 32, grid = 1)
{
    let i = thread.rank;
    (s[i], c[i]) = (sinpi(x[i]), cospi(x[i]));
    let (a, b) = sincos(f32(x[i]));
    y[i] = a * a + b * b;
}
// CALL: between(x=rand:32)
// EXPECT: s = sin(3.141592653589793 * x)
// EXPECT: c = cos(3.141592653589793 * x)
// EXPECT: y = 1
// TOLERANCE: 1e-6
kernel ends(x: in f32[5], y: out f32[5], t: out u64[1]) launch(block = 5, grid = 1)
{
    let before = clock64();
    nanosleep(20);
    y[thread.x] = saturate(x[thread.x]);
    if (thread.x == 0) t[0] = u64(clock64() >= before);
}
// CALL: ends(x=[-1, 0.25, 7, nan, inf])
// EXPECT: y = [0, 0.25, 1, 0, 1]
// EXPECT: t = 1
