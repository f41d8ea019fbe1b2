// A parameter hides a constant, a local hides a function.
// RUN: %ckc %s --stop-after=check | FileCheck %s
const N = 1;
fn g() -> u32 = 2;
fn f(N: f32) { let a = N; let g = true; let b = g; }
// CHECK:      let a : f32
// CHECK:      let b : bool
