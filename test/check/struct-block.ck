// A struct's fields belong to no block, though a kernel has named it before.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel a(y: out u64[1]) launch(block = 64, grid = 1) { var p: P; p.x[0] = 1; y[0] = p.x.len; }
// CHECK: [[# @LINE + 2]]:19: error: this is not known at compile time [not_constant]
// CHECK-NOT: error
struct P { x: u32[block.size]; }
