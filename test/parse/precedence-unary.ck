// Unary operators bind tighter than binary, looser than calls, indices and members.
// RUN: %ckc %s --emit=ast | FileCheck %s
const A = -a * b;
const B = !a.b;
const C = ~a[0];
const D = -+f(x);
// CHECK:      b binary *
// CHECK-NEXT: unary -
// CHECK-NEXT: name a
// CHECK-NEXT: name b
// CHECK:      b unary !
// CHECK-NEXT: member b
// CHECK:      b unary ~
// CHECK-NEXT: index
// CHECK:      b unary -
// CHECK-NEXT: unary +
// CHECK-NEXT: call
