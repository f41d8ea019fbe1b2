// Atomic operations do not race with each other, but with plain ones; fences may order what follows.
// RUN: %ckc run %s count --device=host -check | FileCheck %s
// RUN: not %ckc run %s mixed y=zeros:1 --device=host -check 2>&1 | FileCheck --check-prefix=MIXED %s
// RUN: %ckc run %s last y=zeros:65 --device=host -check --print=y | FileCheck --check-prefix=LAST %s
// RUN: not %ckc run %s start --device=host -check 2>&1 | FileCheck --check-prefix=START %s
kernel count(y: out u32[1]) launch(block = 64, grid = 2)
{
    shared n: u32;
    if (thread.x == 0) n = 0;
    block.sync();
    atomic.add(n, 1);
    block.sync();
    if (thread.x == 0 && block.id.x == 0) y[0] = n;
}
// CHECK: y = [64]
kernel mixed(y: inout u32[1]) launch(block = 64, grid = 1)
{
    atomic.add(y[0], 1);
    if (thread.x == 7) y[0] = 0;
}
// MIXED: race-atomic.ck:18:5: block: [0,0,0], thread: [8,0,0] race: 'atomic.add(y[0], 1)' writes 'y[0]', which thread [7,0,0] writes by 'y[0]' at {{.*}}race-atomic.ck:19:24,
kernel last(y: inout u32[65]) launch(block = 64, grid = 1)
{
    y[thread.x] = thread.x;
    let before = atomic.add(y[64], 1, order = acq_rel);
    if (before == 63) y[64] = y[0] + y[1] + y[2] + y[63];
}
// LAST: y = {{.*}}, 66]
kernel start(y: out u32[1]) launch(block = 64, grid = 1)
{
    shared n: u32;
    atomic.add(n, 1);
    y[0] = 1;
}
// START: 'atomic.add(n, 1)' reads what no thread has written so far of the shared variable 'n'
