// Approximations are close to the functions that they stand for, over the range of each: within what CUDA
// states of __expf, __fdividef and so on there.
// REQUIRES: ckc, host
// RUN: %run-test %s
// TOLERANCE: 2e-5
// CALL: near(n=1000, x=rand:1000)
// EXPECT: s = sin(x * 3) + cos(x * 3)
// EXPECT: e = exp(x * 8) / (1 + x * x)
// EXPECT: l = np.log2(1 + x * x) + log(2 + x) + np.log10(2 + x)
// EXPECT: r = sqrt(1 + x) / sqrt(2 + x) + (2 + x) ** (3 * x)
kernel near(n: u32, x: in f32[n], s: out f32[n], e: out f32[n], l: out f32[n], r: out f32[n])
    launch(block = 128, grid = ceil_div(n, 128))
{
    let i = grid.thread_rank;
    if (i >= n) return;
    let v = x[i];
    s[i] = fast { sin(v * 3) + cos(v * 3) };
    e[i] = fast { exp(v * 8) / (1 + v * v) };
    l[i] = fast_log2(1 + v * v) + fast { log(2 + v) } + fast_log10(2 + v);
    r[i] = fast { sqrt(1 + v) * rsqrt(2 + v) } + fast_pow(2 + v, 3 * v);
}
