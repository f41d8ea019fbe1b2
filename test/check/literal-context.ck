// A literal takes the type that its place asks for.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn g(a: u8) {}
fn f(x: f64, n: u64) { let a: i64 = 1; var b: f64 = 1; b = 2; g(255); let c = x * 2 + 1; let d = n / 3; let e: u8 = 1 + 2 * 3; }
// CHECK:      let a : i64
// CHECK:      int 1 : i64
// CHECK:      var b : f64
// CHECK:      float 1 : f64
// CHECK:      float 2 : f64
// CHECK:      int 255 : u8
// CHECK:      let c : f64
// CHECK:      float 2 : f64
// CHECK:      let d : u64
// CHECK:      int 3 : u64
// CHECK:      let e : u8
// CHECK:      int 7 : u8
