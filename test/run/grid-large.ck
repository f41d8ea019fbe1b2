// All blocks of a kernel that waits for the grid are on the device at a time: more are an error.
// REQUIRES: ckc, gpu
// RUN: not %ckc run %s k --device=cuda:0 x=zeros:1 2>&1 | FileCheck %s
kernel k(x: inout u32[1]) launch(block = 1024, grid = 1000000)
{
    grid.sync();
    if (grid.thread_rank == 0) x[0] = 1;
}
// CHECK: COOPERATIVE_LAUNCH_TOO_LARGE
