// Where no overload fits, all are shown.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn g(a: u32) {}
fn g(a: bool, b: bool) {}
fn f(x: f32) { g(x); }
// CHECK: error: no 'g' takes (f32) [no_overload]
// CHECK: note: candidate: g(a: u32)
// CHECK: note: candidate: g(a: bool, b: bool)
