// Fields with defaults, methods, properties, operators.
// RUN: %ckc %s --stop-after=parse | FileCheck %s
struct P<T: type> { x: T; y: T = 2; fn len -> T = self.x; fn add(o: P<T>) -> P<T> = o; }
fn -<T: type>(a: P<T>) -> P<T> = a;
fn []=(a: P<f32>, i: u64, v: f32) {}
fn <(a: P<f32>, b: P<f32>) -> bool = a.x < b.x;
fn P.half -> T = self.x < 2;
// CHECK:      structure P
// CHECK:      b field x
// CHECK:      b field y
// CHECK:      b function len
// CHECK:      b function add
// CHECK:      function -
// CHECK-NEXT:   type_param T
// CHECK:      function []=
// CHECK:      function <
// CHECK:      function half
// CHECK:      binary <
