// An atomic gives each thread its own value, and so does inline PTX.
// RUN: not %ckc %s --stop-after=uniform --target=sm_90 2>&1 | FileCheck %s
kernel k(x: inout u32[1])
{
    if (atomic.add(x[0], 1) == 3) block.sync();
    let lane = asm<u32>("mov.u32 $0, %laneid;");
    if (lane == 0) block.sync();
}
// CHECK: atomic.ck:5:9: error: {{.*}} [divergent]
// CHECK: note: 'atomic.add(x[0], 1)' differs between threads
// CHECK: atomic.ck:7:9: error: {{.*}} [divergent]
// CHECK: note: 'lane' gets its value here
