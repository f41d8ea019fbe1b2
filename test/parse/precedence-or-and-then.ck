// '&&' binds tighter than '||'.
// RUN: %ckc %s --emit=ast | FileCheck %s
const A = a || b && c;
const B = a && b || c;
// CHECK:      b binary ||
// CHECK-NEXT: name a
// CHECK-NEXT: binary &&
// CHECK-NEXT: name b
// CHECK-NEXT: name c
// CHECK:      b binary ||
// CHECK-NEXT: binary &&
// CHECK-NEXT: name a
// CHECK-NEXT: name b
// CHECK-NEXT: name c
