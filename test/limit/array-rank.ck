// An array has 8 extents, not 9.
// RUN: split-file %s %t
// RUN: %ckc %t/good.ck --stop-after=gen -o %t/out
// RUN: not %ckc %t/bad.ck --stop-after=gen 2>&1 | FileCheck %s
//--- good.ck
kernel k(y: out f32[1]) { var a: f32[1, 2, 1, 2, 1, 2, 1, 2]; y[0] = a[0, 1, 0, 1, 0, 1, 0, 1]; }
//--- bad.ck
kernel k() { var a: f32[1, 2, 1, 2, 1, 2, 1, 2, 1]; }
// CHECK: error: 9 extents are written, an array has 1 to 8 [extent_count]
