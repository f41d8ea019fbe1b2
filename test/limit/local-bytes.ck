// A variable has 524288 bytes, not more.
// RUN: split-file %s %t
// RUN: %ckc %t/good.ck --stop-after=gen -o %t/out
// RUN: not %ckc %t/bad.ck --stop-after=check 2>&1 | FileCheck %s
//--- good.ck
kernel k(i: u32, y: out f32[1]) { var a: f32[131072]; y[0] = a[i]; }
//--- bad.ck
kernel k(i: u32, y: out f32[1]) { var a: f32[131073]; y[0] = a[i]; }
// CHECK: error: 'a' has 524292 bytes, a thread has 524288 for its variables [local_budget]
