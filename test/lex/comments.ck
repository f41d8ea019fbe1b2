// Comments of both kinds are nothing.
// RUN: %ckc %s --emit=tokens | FileCheck %s
a // b
/* c
 d */ e /**/ f /* // */ g
// CHECK: 3:1 a name a
// CHECK-NEXT: 5:7 a name e
// CHECK-NEXT: 5:14 a name f
// CHECK-NEXT: 5:25 a name g
