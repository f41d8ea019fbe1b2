// An array has 16777216 elements, not more.
// RUN: split-file %s %t
// RUN: %ckc %t/good.ck --stop-after=gen -o %t/out
// RUN: not %ckc %t/bad.ck --stop-after=gen 2>&1 | FileCheck %s
//--- good.ck
fn f(a: f32[4096, 4096]) -> f32 { return a[0, 0]; }
//--- bad.ck
fn f(a: f32[4096, 4097]) -> f32 { return a[0, 0]; }
// CHECK: error: an array has 16781312 elements along this extent, it needs 1 to 16777216 [array_extent]
