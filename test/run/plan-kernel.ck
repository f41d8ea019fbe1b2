// RUN: %run-test %s
// An algorithm launches kernels of the program too, generic ones as well: with the block and the grid of
// the launch, whatever the kernel's own contract says.
kernel scale(n: u64, x: in f32[n], y: out f32[n], by: f32) launch(block = 128, grid = ceil_div(n, 128))
{
    shared s: f32[1];
    if (thread.rank == 0) s[0] = by;
    block.sync();
    let i = grid.thread_rank;
    if (i < n) y[i] = x[i] * s[0];
}
kernel add<T: number, const N: u32>(x: in T[], y: inout T[]) launch(block = 32, grid = 1)
{
    for (i in grid.stride(x.len)) y[i] += x[i] * T(N);
}
algorithm both(n: u64, x: in f32[n], y: out f32[n]) {
    scratch z: f32[n];
    launch scale(block = 64, grid = ceil_div(n, 64), n, x, z, 3.0);
    launch scale(block = 256, grid = ceil_div(n, 256), n, z, y, 2.0);
    launch add<f32, 4>(block = 32, grid = 2, x, y);
}
// CALL: both(x=rand:1000, y=zeros:1000)
// EXPECT: y = 10 * x
// CALL: scale(x=ones:10, y=zeros:10, by=2)
// EXPECT: y = 2
