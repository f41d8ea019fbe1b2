// A default stands for an argument that is left out.
// RUN: %ckc %s --stop-after=check | FileCheck %s
const N = 7;
fn g(a: u32, b: u64 = N, c: f32 = 2) {}
fn f() { g(1); g(1, 2); g(1, c = 5); }
// CHECK:      name g
// CHECK:      int 1 : u32
// CHECK:      int 7 : u64
// CHECK:      float 2 : f32
// CHECK:      name g
// CHECK:      int 1 : u32
// CHECK:      int 2 : u64
// CHECK:      float 2 : f32
// CHECK:      name g
// CHECK:      int 1 : u32
// CHECK:      int 7 : u64
// CHECK:      float 5 : f32
