// A plain access races with atomic ones also where the same thread makes an atomic one behind it.
// RUN: not %ckc run %s written y=zeros:1 --device=host -check 2>&1 | FileCheck %s
// RUN: not %ckc run %s read y=zeros:1 --device=host -check 2>&1 | FileCheck --check-prefix=READ %s
kernel written(y: inout u32[1]) launch(block = 64, grid = 1)
{
    if (thread.x == 0) y[0] = 5;
    atomic.add(y[0], 1);
}
// CHECK: atomic-own.ck:7:5: {{.*}} thread: [1,0,0] race: 'atomic.add(y[0], 1)' writes 'y[0]', which thread [0,0,0] writes by 'y[0]'
kernel read(y: inout u32[1]) launch(block = 64, grid = 1)
{
    var sum = 0u32;
    if (thread.x == 0) sum = y[0];
    sum += atomic.load(y[0]);
    if (thread.x == 1) atomic.store(y[0], sum);
}
// READ: thread: [1,0,0] race: 'atomic.store(y[0], sum)' writes 'y[0]', which thread [0,0,0] reads by 'y[0]' at {{.*}}:13:30
