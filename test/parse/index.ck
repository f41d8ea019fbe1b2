// An index has any number of parts.
// RUN: %ckc %s --emit=ast | FileCheck %s
const A = x[];
const B = x[1];
const C = x[1, i][j];
// CHECK:      b index
// CHECK-NEXT: name x
// CHECK:      b index
// CHECK-NEXT: name x
// CHECK-NEXT: b int 1
// CHECK:      b index
// CHECK-NEXT: index
// CHECK-NEXT: name x
// CHECK-NEXT: b int 1
// CHECK-NEXT: b name i
// CHECK-NEXT: b name j
