// Every binary operator but shifts may stand as an argument.
// RUN: %ckc %s --emit=ast | FileCheck %s
const A = f(+, -, *, /, %, &, |, ^, &&, ||, <, <=, >, >=, ==, !=);
// CHECK:      name f
// CHECK-NEXT: b operator +
// CHECK-NEXT: b operator -
// CHECK-NEXT: b operator *
// CHECK-NEXT: b operator /
// CHECK-NEXT: b operator %
// CHECK-NEXT: b operator &
// CHECK-NEXT: b operator |
// CHECK-NEXT: b operator ^
// CHECK-NEXT: b operator &&
// CHECK-NEXT: b operator ||
// CHECK-NEXT: b operator <
// CHECK-NEXT: b operator <=
// CHECK-NEXT: b operator >
// CHECK-NEXT: b operator >=
// CHECK-NEXT: b operator ==
// CHECK-NEXT: b operator !=
