// The elements of a tuple take the types asked for, or their own.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn f(n: u64) -> (f32, u64) { if (n > 1) return (1, 2); let a = (1, 2.5); let b = n > 2 ? (1, 2) : (3, 4); var c = 0u8; var d = 0.0f64; (c, d) = (3, 4); return (0.5, n); }
// CHECK:      tuple : (f32, u64)
// CHECK:      let a : (i32, f32)
// CHECK:      let b : (i32, i32)
// CHECK:      int 3 : u8
// CHECK:      float 4 : f64
