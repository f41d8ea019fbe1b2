// Blocks of a cooperative grid that poll what nobody writes are a deadlock.
// RUN: not %ckc run %s never x=zeros:2 --device=host 2>&1 | FileCheck %s
kernel never(x: inout u32[2]) launch(block = 32, grid = 2)
{
    grid.together();
    while (thread.rank < 3 && atomic.load(x[block.id.x]) == 0) thread.yield();
}
// CHECK: kernel 'never', block [0,0,0]: deadlock: thread [0,0,0] (of 3) waits for its turn at line 6; block [1,0,0]: deadlock: thread [0,0,0] (of 3)
