// An array of 4096 bytes is passed by value and returned, not more.
// RUN: split-file %s %t
// RUN: %ckc %t/good.ck --stop-after=gen -o %t/out
// RUN: not %ckc %t/bad.ck --stop-after=check 2>&1 | FileCheck %s
//--- good.ck
fn f(a: f32[1024]) -> f32[1024] { return a; }
kernel k(i: u32, y: out f32[1]) { var a: f32[1024]; let b = f(a); y[0] = b[i]; }
//--- bad.ck
fn f(a: f32[1025]) -> f32 { return a[0]; }
fn g(i: u32) -> f64[513] { var a: f64[513]; a[i] = 1; return a; }
// CHECK: error: 'f32[1025]' is passed by value: it has 4100 bytes, 4096 are the most [array_by_value]
// CHECK: hint: A span takes it where it is: a parameter 'in f32[]', 'out f32[]' for a result.
// CHECK: error: 'f64[513]' is passed by value: it has 4104 bytes, 4096 are the most [array_by_value]
