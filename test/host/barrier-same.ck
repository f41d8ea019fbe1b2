// Threads of a block wait at the same barrier: a checked build looks at what was taken for uniform.
// REQUIRES: host
// RUN: not %ckc run %s k -check --device=host 2>&1 | FileCheck %s
kernel k() launch(block = 64, grid = 1)
{
    shared s: u32[1];
    if (thread.x == 0) s[0] = 0;
    block.sync();
    atomic.fence();
    if (thread.x == 63) s[0] = 1;
    let seen = s[0];                // the last thread sees another value
    atomic.fence();
    if (seen == 0) block.sync();
    else block.sync();
}
// CHECK: barrier-same.ck:14:10: block: [0,0,0], thread: [63,0,0] divergent barrier: the thread waits at 'block.sync()', and thread [0,0,0] at 'block.sync()', {{.*}}barrier-same.ck:13:20
