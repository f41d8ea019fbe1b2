// A copy whose barrier is not initialised is named with what is missing.
// RUN: not %ckc run %s k x=iota:64 y=zeros:64 --device=host 2>&1 | FileCheck %s
kernel k(x: in f32[64], y: out f32[64]) launch(block = 64, grid = 1)
{
    shared t: f32[64];
    shared bar: barrier;
    if (thread.rank == 0) address(bar.__turn)[0] = 7;
    block.memcpy_async(t, x, 0, 64, address(bar));
    block.wait(address(bar));
    y[thread.x] = t[thread.x];
}
// CHECK: the barrier is not initialised: block.init(bar) comes before its first copy
