// A constant without a type is a literal: it takes its type where it is used.
// RUN: %ckc %s --dump=check --stop-after=check | FileCheck %s
const N = 1 << 20;
const TENTH = 1.0 / 10;
fn f() { let a: u64 = N; let b: f32 = N; let c = N; let d: f64 = TENTH; let e = TENTH; }
// CHECK:      let a : u64
// CHECK:      int 1048576 : u64
// CHECK:      let b : f32
// CHECK:      float 1048576 : f32
// CHECK:      let c : i32
// CHECK:      let d : f64
// CHECK:      float 0.10000000000000001 : f64
// CHECK:      let e : f32
// CHECK:      float 0.10000000149011612 : f32
