// The turns of a loop, a break, and a variable set in it carry the difference.
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
kernel turns(n: u32) { for (i in block.stride(n)) block.sync(); }
// CHECK: loop.ck:[[#@LINE-1]]:34: error: not all threads of the block come to 'block.sync': this differs between threads [divergent]
kernel breaks(n: u32) { while (true) { if (thread.x > n) break; block.sync(); } }
// CHECK: loop.ck:[[#@LINE-1]]:44: error: {{.*}} [divergent]
// CHECK: loop.ck:[[#@LINE-2]]:58: note: those for which it holds leave here
kernel counts(n: u32) { var k = 0; for (i in 0..n) if (thread.x > i) k++; if (k > 3) block.sync(); }
// CHECK: loop.ck:[[#@LINE-1]]:79: error: {{.*}} [divergent]
// CHECK: note: 'k' gets its value here
// CHECK: loop.ck:[[#@LINE-3]]:56: note: this condition decides about it
// CHECK: note: 'thread.x' differs between threads
kernel back(n: u32) { var k = 0u32; for (i in 0..n) { if (k > 3) block.sync(); k = thread.x; } }
// CHECK: loop.ck:[[#@LINE-1]]:59: error: {{.*}} [divergent]
