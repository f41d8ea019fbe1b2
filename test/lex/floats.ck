// A point, an exponent or both make a float; .. does not.
// RUN: %ckc %s --emit=tokens | FileCheck %s
1.0 1. .5 1e3 1.5e-3 2E+4 0x1p-3 0x1.8p1 1.5f64 1_0.5 0..9 1.x
// CHECK: a number 1.0
// CHECK: a number 1.
// CHECK: a number .5
// CHECK: a number 1e3
// CHECK: a number 1.5e-3
// CHECK: a number 2E+4
// CHECK: a number 0x1p-3
// CHECK: a number 0x1.8p1
// CHECK: a number 1.5f64
// CHECK: a number 1_0.5
// CHECK: an integer 0
// CHECK-NEXT: {{[0-9:]+}} .. ..
// CHECK-NEXT: {{[0-9:]+}} an integer 9
// CHECK: an integer 1
// CHECK-NEXT: {{[0-9:]+}} . .
