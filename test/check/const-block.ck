// A constant outside of functions belongs to no block, though a kernel has named it before.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel a(y: out u32[1]) launch(block = 64, grid = 1) { y[0] = N; }
kernel b(y: out u32[1]) launch(block = 32, grid = 1) { y[0] = N; }
// CHECK: [[# @LINE + 2]]:11: error: this is not known at compile time [not_constant]
// CHECK-NOT: error
const N = block.size;
