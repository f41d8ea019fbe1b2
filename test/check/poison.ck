// One mistake is one message: what was reported fits everywhere.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(n: u32) { let a = b + 1; let c = a * 2.5; var v: f32[a]; v[c] = a; if (a) g(a)[0] = a(1).x; for (i in a..n) n = i; }
fn g(n: u32) -> u32 = n;
// CHECK:      error: 'b' is not declared [undeclared]
// CHECK-NOT: not declared
