// Calls have arguments, named ones, operators, and a last comma.
// RUN: %ckc %s --emit=ast | FileCheck %s
const A = f();
const B = f(1, b = 2, +, <=,);
const C = a.b(c)(d);
// CHECK:      b call
// CHECK-NEXT: name f
// CHECK:      b call
// CHECK-NEXT: name f
// CHECK-NEXT: b int 1 : an integer
// CHECK-NEXT: b argument b
// CHECK-NEXT: int 2 : an integer
// CHECK-NEXT: b operator +
// CHECK-NEXT: b operator <=
// CHECK:      b call
// CHECK-NEXT: call
// CHECK-NEXT: member b
// CHECK-NEXT: name a
// CHECK-NEXT: b name c
// CHECK-NEXT: b name d
