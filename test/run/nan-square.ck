// A square, a magnitude and a power of 2 of NaN compare as NaN does: not at all.
// RUN: %run-test %s
// CALL: k(x=[1, 2, 3], n=3, y=zeros:4)
// EXPECT: y = [0, 0, 0, 7]
fn tests(x: f32, c: f32) -> u32 {
    var n = 0u32;
    if (x * x > -7) n++;
    if (x * x >= 0) n++;
    if (-(x * x) < 7) n++;
    if (abs(x) > c) n++;
    if (c < abs(x)) n++;
    if (exp2(x) > -1) n++;
    if (-abs(x) <= 0) n++;
    return n;
}
kernel k(x: in f32[3], n: u32, y: out u32[4]) launch(block = 4, grid = 1)
{
    let t = thread.rank;
    y[t] = tests(t < n ? x[t] * nan<f32> : 1.5f32, -f32(n));
}
