// A declaration may use the name that it hides.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn f(a: u32) { let a = f32(a); let b = a; }
// CHECK:      let a : f32
// CHECK:      let b : f32
