// A thread has 524288 bytes for its variables, a variable no more.
// RUN: split-file %s %t
// RUN: %ckc %t/good.ck --stop-after=gen -o %t/out
// RUN: not %ckc %t/bad.ck --stop-after=gen 2>&1 | FileCheck %s
//--- good.ck
kernel k(i: u32, y: out f32[1]) { var a: f32[256, 512]; y[0] = a[i, i]; }
//--- bad.ck
kernel k(i: u32, y: out f32[1]) { var a: f32[131073]; y[0] = a[i]; }
// CHECK: bad.ck:1:39: error: 'a' has 524292 bytes, a thread has 524288 for its variables [local_budget]
