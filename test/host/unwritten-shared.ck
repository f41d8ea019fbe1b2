// A checked build on the host stops where shared memory is read that nobody has written.
// RUN: not %ckc run %s k --device=host -check 2>&1 | FileCheck %s
kernel k(y: out i32[64]) launch(block = 64, grid = 2)
{
    shared s: i32[65];
    s[thread.x] = 1;
    block.sync();
    y[thread.x] = s[thread.x + 1];
}
// CHECK: unwritten-shared.ck:8:19: block: {{.*}}, thread: [63,0,0] 's[thread.x + 1]' reads what no thread has written so far of the shared variable 's'
