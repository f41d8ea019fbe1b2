// Threads of a cluster wait at the same barrier; if nobody can go on, each wait is named.
// REQUIRES: host
// RUN: not %ckc run %s apart -check --device=host 2>&1 | FileCheck %s
// RUN: not %ckc run %s never --device=host 2>&1 | FileCheck --check-prefix=NEVER %s
kernel apart() launch(block = 32, grid = 2, cluster = 2)
{
    shared s: u32[1];
    if (thread.x == 0) s[0] = block.id.x;
    block.sync();
    if (cluster.uniform(s[0]) == 0) cluster.sync();
    else cluster.sync();
}
// CHECK: cluster-barrier.ck:11:10: block: [1,0,0], thread: [0,0,0] divergent barrier: the thread waits at 'cluster.sync()', and thread [0,0,0] of block [0,0,0] at 'cluster.sync()', {{.*}}cluster-barrier.ck:10:37
kernel never() launch(block = 32, grid = 2, cluster = 2)
{
    shared s: u32[1];
    if (thread.x == 0) s[0] = block.id.x;
    block.sync();
    if (grid.uniform(s[0]) == 0) cluster.sync();
    else grid.sync();
}
// NEVER: kernel 'never', block [0,0,0]: deadlock: thread [0,0,0] (of 32) waits for its cluster at line 19; block [1,0,0]: deadlock: thread [0,0,0] (of 32) waits for its grid in the library
