// Tuples, lists and fast are primaries.
// RUN: %ckc %s --emit=ast | FileCheck %s
const A = (1, 2, 3);
const B = [1, 2];
const C = fast { a * b };
// CHECK:      b tuple
// CHECK-NEXT: int 1
// CHECK-NEXT: int 2
// CHECK-NEXT: int 3
// CHECK:      b list
// CHECK-NEXT: int 1
// CHECK-NEXT: int 2
// CHECK:      b fast
// CHECK-NEXT: binary *
