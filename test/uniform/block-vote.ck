// All threads of the block come to a vote of the block, and what it gives is the same in them.
// RUN: not %ckc %s --target=sm_90 --stop-after=uniform 2>&1 | FileCheck %s
kernel k(x: in f32[64], y: out f32[64]) launch(block = 64, grid = 1)
{
    if (block.any(x[thread.x] > 0)) block.sync();
    if (block.count(x[thread.x] > 0) > 3) block.sync();
    if (x[thread.x] > 0) y[thread.x] = f32(block.all(x[thread.x] > 1));
}
// CHECK-NOT: :{{[56]}}:
// CHECK: :7:{{[0-9]+}}: error: not all threads of the block come to 'block.all': this differs between threads [divergent]
