// print takes scalars and conversions of their types.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn f(a: f32, b: i8, c: u64, d: bool) { print("{} {:8.3} {:e} {:x} {:08} {} {:5} {{}}", a, a, f64(a), b, c, d, 1); }
// CHECK:      evaluate
