// One launch covers every extent, whole blocks or not.
// REQUIRES: ckc
// RUN: %run-test %s
// CALL: saxpy(n=4, a=2.0, x=[1, 2, 3, 4], y=[1, 1, 1, 1], z=zeros:4)
// EXPECT: z = [3, 5, 7, 9]
// FOR: k in 1, 255, 256, 257, 1..100000
// CALL: saxpy(a=-0.5, x=rand:k, y=rand:k, z=zeros:k)
// EXPECT: z = a * x + y

kernel saxpy(n: u64, a: f32, x: in f32[n], y: in f32[n], z: out f32[n])
    launch(block = 256, grid = ceil_div(n, 256))
{
    let i = grid.thread_rank;
    if (i < n) z[i] = a * x[i] + y[i];
}
