// A lambda has parameters, typed or not, or none.
// RUN: %ckc %s --emit=ast | FileCheck %s
const A = |a, b: f32| a + b;
const B = || 1;
const C = f(|x| x, 2);
// CHECK:      b lambda
// CHECK-NEXT: a param a
// CHECK-NEXT: a param b
// CHECK-NEXT: a name f32
// CHECK-NEXT: binary +
// CHECK:      b lambda
// CHECK-NEXT: int 1
// CHECK:      b call
// CHECK-NEXT: name f
// CHECK-NEXT: b lambda
// CHECK-NEXT: a param x
// CHECK-NEXT: name x
// CHECK-NEXT: b int 2
