// A grid that is no multiple of the cluster is an error of the launch.
// REQUIRES: ckc
// RUN: not %ckc run %s k --device=host x=zeros:1 2>&1 | FileCheck %s
// RUN: %if gpu %{ not %ckc run %s k --device=cuda:0 x=zeros:1 2>&1 | FileCheck %s %}
kernel k(x: inout u32[1]) launch(block = 32, grid = 3, cluster = 2)
{
    if (grid.thread_rank == 0) x[0] = 1;
    cluster.sync();
}
// CHECK: grid.x is 3, no multiple of the cluster's 2
