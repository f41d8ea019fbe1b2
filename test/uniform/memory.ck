// What a kernel writes may change between the reads of two threads; what it only reads does not.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
kernel k(x: inout f32[32], y: in f32[32])
{
    if (y[0] > 0) block.sync();
    if (x[0] > 0) block.sync();
    if (y[thread.x] > 0) block.sync();
}
// CHECK: memory.ck:6:9: error: {{.*}} [divergent]
// CHECK: memory.ck:6:9: note: 'x' may be written between the reads of two threads
// CHECK: memory.ck:7:9: error: {{.*}} [divergent]
