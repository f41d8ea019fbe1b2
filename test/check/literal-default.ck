// An integer alone is i32, a number with a point f32.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn f() { let a = 1; let b = 1.0; let c = -2147483648; let d = 1 + 0.5; }
// CHECK:      let a : i32
// CHECK:      let b : f32
// CHECK:      let c : i32
// CHECK:      let d : f32
