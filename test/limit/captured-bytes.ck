// A lambda captures an array of 4096 bytes, not more.
// RUN: split-file %s %t
// RUN: %ckc %t/good.ck --target=host --stop-after=check
// RUN: not %ckc %t/bad.ck --target=host --stop-after=check 2>&1 | FileCheck %s
//--- good.ck
kernel k(i: u32, y: out f32[1]) { var a: f32[1024]; let f = |j| a[j]; y[0] = f(i); }
//--- bad.ck
kernel k(i: u32, y: out f32[1]) { var a: f32[1025]; let f = |j| a[j]; y[0] = f(i); }
// CHECK: error: a lambda captures by value: 'a' is 'f32[1025]' [capture]
