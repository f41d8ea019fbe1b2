// An array has 16777216 elements, not more.
// RUN: split-file %s %t
// RUN: %ckc %t/good.ck --stop-after=gen -o %t/out
// RUN: not %ckc %t/bad.ck --stop-after=gen 2>&1 | FileCheck %s
//--- good.ck
kernel k(i: u32, y: out f32[1]) { var a: f32[4096, 4096]; y[0] = a[i, i]; }
//--- bad.ck
kernel k() { var a: f32[4096, 4097]; }
// CHECK: error: an array has 16781312 elements along this extent, it needs 1 to 16777216 [array_extent]
