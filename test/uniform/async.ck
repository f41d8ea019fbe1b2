// A copy that the whole block makes waits for nobody, and all threads of the block come to it.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
kernel k(n: u32, x: in f32[n], m: in f32[n, n]) launch(block = 64, grid = 1)
{
    shared s: f32[64];
    shared t: f32[8, 8];
    if (n > 3) block.memcpy_async(s, x, 0, 64);
    if (thread.x < 16) memcpy_async(s[thread.x], x[thread.x]);
    if (thread.x > 3) block.memcpy_async(s, x, 0, 64);
    if (warp.rank == 0) block.memcpy_async(t, m, 0, 0);
}
// CHECK-NOT: error:
// CHECK: async.ck:9:9: error: not all threads of the block come to 'block.memcpy_async': this differs between threads [divergent]
// CHECK: async.ck:10:9: error: not all threads of the block come to 'block.memcpy_async': this differs between warps [divergent]
