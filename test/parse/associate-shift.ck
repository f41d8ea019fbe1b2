// Operators of the level of '<<' go from left to right.
// RUN: %ckc %s --emit=ast | FileCheck %s
const A0 = a << b >> (c);
const A1 = a >> b << (c);
// CHECK:      b binary >>
// CHECK-NEXT: binary <<
// CHECK-NEXT: name a
// CHECK-NEXT: name b
// CHECK-NEXT: name c
// CHECK:      b binary <<
// CHECK-NEXT: binary >>
// CHECK-NEXT: name a
// CHECK-NEXT: name b
// CHECK-NEXT: name c
