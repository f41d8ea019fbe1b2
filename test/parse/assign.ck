// Every assignment operator, and ++ and -- on either side.
// RUN: %ckc %s --emit=ast | FileCheck %s
fn f() { a = 1; a += 1; a -= 1; a *= 1; a /= 1; a %= 1; a &= 1; a |= 1; a ^= 1; a <<= 1; a >>= 1; a++; b--; ++c; --d; }
// CHECK:      a assign
// CHECK-NEXT: name a
// CHECK:      a assign +
// CHECK-NEXT: name a
// CHECK:      a assign -
// CHECK-NEXT: name a
// CHECK:      a assign *
// CHECK-NEXT: name a
// CHECK:      a assign /
// CHECK-NEXT: name a
// CHECK:      a assign %
// CHECK-NEXT: name a
// CHECK:      a assign &
// CHECK-NEXT: name a
// CHECK:      a assign |
// CHECK-NEXT: name a
// CHECK:      a assign ^
// CHECK-NEXT: name a
// CHECK:      a assign <<
// CHECK-NEXT: name a
// CHECK:      a assign >>
// CHECK-NEXT: name a
// CHECK:      a assign +
// CHECK-NEXT: name a
// CHECK:      a assign -
// CHECK-NEXT: name b
// CHECK:      a assign +
// CHECK-NEXT: name c
// CHECK:      a assign -
// CHECK-NEXT: name d
