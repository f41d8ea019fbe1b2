// A barrier that some threads of the block never reach: a checked build says so when they have ended.
// REQUIRES: host
// RUN: not %ckc run %s k -check --device=host 2>&1 | FileCheck %s
// RUN: %ckc run %s k --device=host
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
}
// CHECK: barrier-ended.ck:14:20: block: [0,0,0], thread: [62,0,0] divergent barrier: the thread waits at 'block.sync()', and thread [63,0,0] has ended
