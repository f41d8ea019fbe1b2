// All threads of the block come to its operations: a condition that differs is an error.
// RUN: not %ckc %s --target=sm_90 --stop-after=uniform 2>&1 | FileCheck %s
kernel k(x: in f32[64], y: out f32[64]) launch(block = 64, grid = 1)
{
    y[thread.x] = block.reduce(x[thread.x], +);
    if (x[thread.x] > 0) y[thread.x] = block.reduce(x[thread.x], +);
}
// CHECK-NOT: :5:
// CHECK: :6:9: error: not all threads of the block come to 'block.reduce': this differs between threads [divergent]
