// Parentheses group.
// RUN: %ckc %s --emit=ast | FileCheck %s
const A = (a + b) * c;
// CHECK:      b binary *
// CHECK-NEXT: binary +
