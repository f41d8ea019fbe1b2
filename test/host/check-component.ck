// A checked build takes a component that is read for that component alone: the others may be another thread's.
// RUN: %ckc run %s right --device=host -check --print=y | FileCheck %s
// RUN: not %ckc run %s wrong --device=host -check 2>&1 | FileCheck --check-prefix=RACE %s
kernel right(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared s: u32x4[64];
    let t = thread.x;
    s[t].x = t;
    s[t].zw = u32x2(1, 2);
    s[t ^ 1].y = 5;
    y[t] = s[t].x + s[t][2] + sum(s[t].zw);
}
// CHECK: y = [4, 5, 6, 7,
kernel wrong(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared s: u32x4[64];
    let t = thread.x;
    s[t] = u32x4(t);
    block.sync();
    s[t].x = 5;
    y[t] = s[t ^ 1].x;
}
// RACE: check-component.ck:20:5: {{.*}} thread: [1,0,0] race: 's[t].x' writes 's', which thread [0,0,0] reads by 's[t ^ 1].x' at
