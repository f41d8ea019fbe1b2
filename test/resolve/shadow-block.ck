// An inner declaration hides an outer one until its block ends.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn f(a: u32) {
  { let a = 1.5; let b = a; }
  let c = a;
}
// CHECK:      let b : f32
// CHECK:      let c : u32
