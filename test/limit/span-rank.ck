// A span has 4 extents, not 5.
// RUN: split-file %s %t
// RUN: %ckc %t/good.ck --stop-after=gen -o %t/out
// RUN: not %ckc %t/bad.ck --stop-after=gen 2>&1 | FileCheck %s
//--- good.ck
kernel k(y: out f32[1, 2, 3, 4]) { y[0, 1, 2, 3] = 1; }
//--- bad.ck
kernel k(y: out f32[1, 2, 3, 4, 5]) {}
// CHECK: error: 5 extents are written, a span has 1 to 4 [extent_count]
