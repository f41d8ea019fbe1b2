// Generic and plain functions overload each other.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn f(a: f32, b: i16, c: f64) { let x = min(a, 1); let y = min(b, 1); let z = min(c, 1); let w = abs(-1.5); }
// CHECK:      let x : f32
// CHECK:      let y : i16
// CHECK:      let z : f64
// CHECK:      let w : f32
