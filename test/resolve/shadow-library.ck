// What the program declares under a name of the library hides it, for the program alone.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn min(a: bool) -> bool = a;
fn f(x: f32) { let a = min(true); let b = clamp(x, 0, 1); }
// CHECK:      let a : bool
// CHECK:      let b : f32
