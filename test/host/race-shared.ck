// A checked build on the host names both sides of a race for shared memory.
// RUN: not %ckc run %s ahead --device=host -check 2>&1 | FileCheck %s
// RUN: not %ckc run %s behind --device=host -check 2>&1 | FileCheck --check-prefix=WRITE %s
// RUN: %ckc run %s right --device=host -check | FileCheck --check-prefix=RIGHT %s
kernel ahead(y: out i32[64]) launch(block = 64, grid = 1)
{
    shared s: i32[64];
    s[thread.x] = 1;
    if (thread.x == 5)
        y[0] = s[3];
}
// CHECK: race-shared.ck:10:16: block: [0,0,0], thread: [5,0,0] race: 's[3]' reads 's', which thread [3,0,0] writes by 's[thread.x]' at {{.*}}race-shared.ck:8:5, and no barrier is between

kernel behind(y: out i32[64]) launch(block = 64, grid = 1)
{
    shared s: i32[64];
    s[thread.x] = 1;
    block.sync();
    y[thread.x] = s[63 - thread.x];
    s[thread.x] = 2;
}
// WRITE: race-shared.ck:19:19: block: [0,0,0], thread: [32,0,0] race: 's[63 - thread.x]' reads 's', which thread [31,0,0] writes by 's[thread.x]' at {{.*}}race-shared.ck:20:5,

kernel right(y: out i32[64]) launch(block = 64, grid = 1)
{
    shared s: i32[64];
    for (i in 0..4) {
        s[thread.x] = i + i32(thread.x);
        block.sync();
        y[thread.x] = s[63 - thread.x];
        block.sync();
    }
}
// RIGHT: y = [66, 65, 64,
