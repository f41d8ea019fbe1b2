// A constant is not worked out from itself.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
const A = B + 1;
const B = A;
// CHECK: error: this is not known at compile time [not_constant]
// CHECK: hint: 'A' is worked out from itself.
// CHECK-NOT: error:
