// A product that is halved or taken four times is rounded between the two, and may be infinite.
// RUN: %run-test %s
// CALL: k(n=1, x=[3e38, 1e-38, 1.5], y=[2, 3.64e-7, 3], w=[0.5, 3.2e-7, 3], z=zeros:3x2)
// EXPECT: z = [[inf, inf], [2.802596928649634e-45, 1.1210387714598537e-44], [2.25, 18]]
kernel k(n: u32, x: in f32[3], y: in f32[3], w: in f32[3], z: out f32[3, 2])
    launch(block = 3, grid = n)
{
    let i = thread.rank;
    z[i, 0] = x[i] * y[i] / 2;
    z[i, 1] = x[i] * w[i] * 4;
}
