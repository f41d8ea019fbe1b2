// Bytes that another block of the cluster may still read are not given out again behind a barrier of the block.
// REQUIRES: ckc
// RUN: %run-test %s
// RUN: %ckc %s --emit=manifest --target=sm_90 | FileCheck %s
fn swapped(v: u32) -> u32 {
    shared t: u32[64];
    t[thread.x] = v;
    cluster.sync();
    return cluster.map(t, cluster.rank ^ 1)[63 - thread.x];
}
kernel k(x: in u32[128], y: out u32[3, 128]) launch(block = 64, grid = 2, cluster = 2)
{
    let i = grid.thread_rank;
    {
        shared a: u32[64];
        a[thread.x] = x[i];
        cluster.sync();
        y[0, i] = cluster.map(a, cluster.rank ^ 1)[63 - thread.x];
    }
    {
        shared b: u32[64];
        b[thread.x] = 7;
        block.sync();
        y[1, i] = b[63 - thread.x];
    }
    y[2, i] = swapped(x[i]) + swapped(1);
    cluster.sync();
}
// CHECK: "shared_bytes": 1024
// CALL: k(x=iota:128, y=zeros:3x128) -check
// EXPECT: y = [x ^ 127, x * 0 + 7, (x ^ 127) + 1]
