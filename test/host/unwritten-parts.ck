// A struct in shared memory is read whole where some of it has been written; none of it is an error.
// RUN: %ckc run %s some --device=host -check | FileCheck %s --check-prefix=SOME
// RUN: not %ckc run %s none --device=host -check 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %ckc run %s element --device=host -check 2>&1 | FileCheck %s --check-prefix=ELEMENT
struct P { x: f32; on: bool; n: i32[3]; }
kernel some(y: out f32[2]) launch(block = 2, grid = 1)
{
    shared part: P[2];
    part[thread.x].x = 5;
    part[thread.x].on = true;
    part[thread.x].n[1] = 2;
    block.sync();
    let v = part[1 - thread.x];
    y[thread.x] = v.x + f32(v.n[1]);
}
// SOME: y = [7, 7]
kernel none(y: out f32[2]) launch(block = 2, grid = 1)
{
    shared part: P[3];
    part[thread.x].x = 5;
    block.sync();
    let v = part[thread.x + 1];
    y[thread.x] = v.x;
}
// NONE: unwritten-parts.ck:[[#@LINE-3]]:13: {{.*}}thread: [1,0,0] 'part[thread.x + 1]' reads what no thread has written so far of the shared variable 'part'
kernel element(y: out i32[1]) launch(block = 1, grid = 1)
{
    shared s: i32[4];
    var total = 0;
    for (p in s.enumerate()) total += p[1];
    y[0] = total;
}
// ELEMENT: unwritten-parts.ck:[[#@LINE-3]]:15: {{.*}}reads what no thread has written so far of the shared variable 's'
