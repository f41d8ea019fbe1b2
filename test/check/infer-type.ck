// Type parameters come from the arguments, widest first; literals follow.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn g<T: number>(a: T, b: T) -> T = a;
fn f(a: u8, b: u32, c: f32) { let x = g(a, b); let y = g(1, b); let z = g(c, 2); let u = g(1, 2); let v = g(1, 2.5); let w: u64 = g(1, 2); }
// CHECK:      let x : u32
// CHECK:      let y : u32
// CHECK:      let z : f32
// CHECK:      let u : i32
// CHECK:      let v : f32
// CHECK:      let w : u64
