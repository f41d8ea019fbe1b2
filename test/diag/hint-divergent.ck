// 'uniform' is proposed where the condition may be the same in all threads; a thread's own place is not.
// RUN: not %ckc %s --stop-after=gen 2>&1 | FileCheck %s
kernel a(x: inout f32[128]) launch(block = 128, grid = 1) { if (thread.x < 7) block.sync(); }
kernel b(x: inout f32[128]) launch(block = 128, grid = 1) { if (thread.x / 32 == 1) x[thread.x] = warp.sum(1.0); }
kernel c(x: inout f32[128]) launch(block = 128, grid = 1) { let w = thread.x >> 5; if (w == 1) x[thread.x] = warp.sum(1.0); }
kernel d(x: inout f32[128]) launch(block = 128, grid = 1) { if (x[thread.x / 128] > 0) block.sync(); }
kernel e(x: inout f32[128]) launch(block = 128, grid = 1) { var i = thread.x; while (i < 9) { block.sync(); i += 1; } }
// CHECK: 3:65: error: not all threads of the block come to 'block.sync'
// CHECK: hint: Let all threads come to it: move it out of the 'if'.
// CHECK: 4:65: error: not all threads of the warp
// CHECK: hint: Write warp.rank for the warp's number: it is the same in a warp.
// CHECK: 5:88: error: not all threads of the warp
// CHECK: hint: Write warp.rank for the warp's number: it is the same in a warp.
// CHECK: 6:65: error: not all threads of the block
// CHECK: hint: Let all threads come to it; or, if the condition is the same in the block, say so: block.uniform(...).
// CHECK: 7:86: error: not all threads of the block
// CHECK: hint: Let all threads come to it
