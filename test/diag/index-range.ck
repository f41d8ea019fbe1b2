// A constant index is inside a constant extent.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f() { var a: f32[4, 2]; a[4, 0] = 1.0; a[0, 2] = 1.0; a[-1, 0] = 1.0; }
// CHECK: error: the index 4 is outside the extent 4 [index_range]
// CHECK: error: the index 2 is outside the extent 2 [index_range]
// CHECK: error: the index -1 is outside the extent 4 [index_range]
