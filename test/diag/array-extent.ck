// An array has elements, not too many.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f() { var a: f32[0]; var b: f32[16777217]; var c: f32[8192, 8192]; }
// CHECK: error: an array has 0 elements along this extent, it needs 1 to 16777216 [array_extent]
// CHECK: error: an array has 16777217 elements along this extent
// CHECK: error: an array has 67108864 elements along this extent
