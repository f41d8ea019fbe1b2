// Named arguments come in any order.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn g(a: u32, b: u64, c: f32) {}
fn f() { g(c = 1, a = 2, b = 3); g(4, c = 5, b = 6); }
// CHECK:      int 2 : u32
// CHECK:      int 3 : u64
// CHECK:      float 1 : f32
// CHECK:      int 4 : u32
// CHECK:      int 6 : u64
// CHECK:      float 5 : f32
