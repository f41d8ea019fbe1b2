// Of two halves in 32 bits the one that is asked for is taken, and a constant keeps its sign.
// RUN: %run-test %s
// CALL: chosen(n=1, b=[1.5, -2], x=[0, 1], y=zeros:2x3)
// EXPECT: y = [[1.5, 1.5, -2], [-2, 1.5, -2]]
kernel chosen(n: u32, b: in bf16[2], x: in u32[2], y: out f32[2, 3]) launch(block = 2, grid = n)
{
    shared t: bf16x2[2];
    let i = thread.rank;
    t[i] = bf16x2(b[0], b[1]);
    block.sync();
    let v = t[1 - i];
    y[i, 0] = f32(v[x[i]]);
    y[i, 1] = f32(v[0]);
    y[i, 2] = f32(v[1]);
}

// CALL: negated(n=1, x=[1, 2, 3, 4], i=[1, 2, 3, 0], y=zeros:4)
// EXPECT: y = [-0.0099945068359375, -0.142822265625, -0.25, 0.66650390625]
kernel negated(n: u32, x: in f16[4], i: in u32[4], y: out f16[4]) launch(block = 4, grid = n)
{
    let h = x[thread.rank];
    let v = -(f16x4(x[1], -100, -7, x[0]) * f16x4(x[2], h, h, -4 * h));
    y[thread.rank] = -h / v[i[thread.rank]];
}
