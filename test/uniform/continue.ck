// A continue of some threads takes them past what follows in the loop.
// RUN: not %ckc %s --target=sm_90 --stop-after=uniform 2>&1 | FileCheck %s
kernel k(n: u32, x: in f32[64])
{
    for (i in 0..n) {
        if (x[thread.x] > 0) continue;
        block.sync();
    }
}
// CHECK: :6:13: error: not all threads of the block come to 'block.sync': this differs between threads [divergent]
// CHECK: :6:30: note: those for which it holds leave here
