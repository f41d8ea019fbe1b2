// A checked build finds races between the blocks of a cluster; cluster.sync() and atomics order.
// REQUIRES: host
// RUN: not %ckc run %s behind -check --device=host 2>&1 | FileCheck %s
// RUN: not %ckc run %s global y=zeros:1 -check --device=host 2>&1 | FileCheck --check-prefix=GLOBAL %s
// RUN: %ckc run %s last y=zeros:65 -check --device=host --print=y | FileCheck --check-prefix=LAST %s
// Other clusters are not looked at.
// RUN: %ckc run %s apart y=zeros:1 -check --device=host --print=y | FileCheck --check-prefix=APART %s
kernel behind(y: out u32[128]) launch(block = 64, grid = 2, cluster = 2)
{
    shared s: u32[64];
    s[thread.x] = thread.x;
    cluster.sync();
    let other = cluster.map(s, cluster.rank ^ 1);
    y[grid.thread_rank] = other[thread.x];
    s[thread.x] = 0;
    cluster.sync();
}
// CHECK: cluster-race.ck:14:27: block: [1,0,0], thread: [0,0,0] race: 'other[thread.x]' reads 'other', which thread [0,0,0] of block [0,0,0] writes by 's[thread.x]' at {{.*}}cluster-race.ck:15:5, and no barrier is between
kernel global(y: inout u32[1]) launch(block = 32, grid = 2, cluster = 2)
{
    if (thread.x == 0) y[0] = 1;
}
// GLOBAL: race: 'y[0]' writes 'y', which thread [0,0,0] of block [0,0,0] writes by 'y[0]'
kernel last(y: inout u32[65]) launch(block = 16, grid = 4, cluster = 4)
{
    shared before: u32[1];
    y[grid.thread_rank] = thread.x;
    block.sync();
    if (thread.x == 0) before[0] = atomic.add(y[64], 1, order = acq_rel);
    block.sync();
    if (before[0] == 3 && thread.x == 1) y[64] = y[0] + y[15] + y[31] + y[63];
}
// LAST: y = {{.*}}, 45]
kernel apart(y: inout u32[1]) launch(block = 32, grid = 4, cluster = 2)
{
    if (thread.x == 0 && cluster.rank == 0) y[0] = 7;
}
// APART: y = [7]
