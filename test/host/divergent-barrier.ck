// A checked build on the host stops where threads of a block wait at different barriers.
// RUN: not %ckc run %s k --device=host -check 2>&1 | FileCheck %s
// RUN: %ckc run %s ended --device=host -check | FileCheck --check-prefix=ENDED %s
kernel k(y: out i32[64]) launch(block = 64, grid = 1)
{
    y[thread.x] = 1;
    if (thread.x < 3) block.sync();
    else block.sync();
}
// CHECK: divergent-barrier.ck:8:10: block: [0,0,0], thread: [3,0,0] divergent barrier: the thread waits at 'block.sync()', and thread [0,0,0] at 'block.sync()', {{.*}}divergent-barrier.ck:7:23

kernel ended(y: out i32[64]) launch(block = 64, grid = 1)
{
    y[thread.x] = 1;
    if (thread.x > 40) return;      // who has ended is not waited for
    block.sync();
}
// ENDED: y = [1, 1,
