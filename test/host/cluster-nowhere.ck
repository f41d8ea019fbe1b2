// cluster.map of a block that the cluster does not have points at no memory: a checked build says so.
// REQUIRES: host
// RUN: not %ckc run %s k -check --device=host 2>&1 | FileCheck %s
kernel k(y: out u32[1]) launch(block = 32, grid = 2, cluster = 2)
{
    shared s: u32[32];
    s[thread.x] = 0;
    cluster.sync();
    let next = cluster.map(s, cluster.rank + 1);
    if (cluster.rank == 0 && thread.x == 0) y[0] = next[0];   // right
    if (thread.x == 5) next[thread.x] = 1;
    cluster.sync();
}
// CHECK: cluster-nowhere.ck:11:24: block: [1,0,0], thread: [5,0,0] 'next[thread.x]' writes through 'next', which points at no memory
