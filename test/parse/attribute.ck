// Attributes stand before functions and kernels, with arguments.
// RUN: %ckc %s --emit=ast | FileCheck %s
@require(sm >= 90) @other(a = 1)
kernel k() {}
@x() fn f() {}
// CHECK:      a kernel k
// CHECK-NEXT: a attribute require
// CHECK-NEXT: a binary >=
// CHECK-NEXT: name sm
// CHECK-NEXT: int 90
// CHECK-NEXT: a attribute other
// CHECK-NEXT: a argument a
// CHECK-NEXT: int 1
// CHECK:      a function f
// CHECK-NEXT: a attribute x
