// A block ends while another one of its cluster may still use its memory: a checked build says so.
// REQUIRES: host
// RUN: not %ckc run %s before -check --device=host 2>&1 | FileCheck %s
// RUN: not %ckc run %s after -check --device=host 2>&1 | FileCheck --check-prefix=AFTER %s
kernel before(y: out u32[2]) launch(block = 1, grid = 2, cluster = 2)
{
    shared s: u32[1];
    s[0] = 1;
    cluster.sync();
    if (cluster.rank == 1) y[0] = cluster.map(s, 0)[0];
}
// CHECK: cluster-ended.ck:10:35: block: [1,0,0], thread: [0,0,0] 'cluster.map(s, 0)[0]' accesses 'cluster.map(s, 0)' in the shared memory of block [0,0,0], which may have ended by then: no cluster.sync() follows
kernel after(y: out u32[2]) launch(block = 1, grid = 2, cluster = 2)
{
    shared s: u32[1];
    s[0] = 1;
    cluster.sync();
    let other = cluster.map(s, 1);
    if (cluster.rank == 0) y[0] = other[0];
}
// AFTER: cluster-ended.ck:19:35: block: [0,0,0], thread: [0,0,0] 'other[0]' accesses 'other' in the shared memory of block [1,0,0], which may have ended by then
