// Lanes that have met at a warp.sync are ordered; others of the block are not.
// RUN: %ckc run %s right --device=host -check | FileCheck %s
// RUN: not %ckc run %s late --device=host -check 2>&1 | FileCheck --check-prefix=LATE %s
// RUN: not %ckc run %s beyond --device=host -check 2>&1 | FileCheck --check-prefix=BEYOND %s
kernel right(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared s: u32[64];
    s[thread.x] = thread.x;
    warp.sync();
    y[thread.x] = s[thread.x ^ 1];
    warp.sync();
    s[thread.x ^ 1] = 3;
}
// CHECK: y = [1, 0, 3, 2,
kernel late(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared s: u32[64];
    s[thread.x] = thread.x;
    warp.sync();
    y[thread.x] = s[thread.x ^ 1];
    s[thread.x ^ 2] = 3;
}
// LATE: race: 's[thread.x ^ 1]' reads 's', which thread [1,0,0] writes by 's[thread.x ^ 2]'
kernel beyond(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared s: u32[64];
    s[thread.x] = thread.x;
    warp.sync();
    if (thread.x == 40) y[0] = s[7];
}
// BEYOND: thread: [40,0,0] race: 's[7]' reads 's', which thread [7,0,0] writes
