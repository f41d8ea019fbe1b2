// A constant divisor is not 0.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(n: u32) { let a = n / 0; let b = n % (1 - 1); var c = n; c /= 0; let d = 1 / 0; }
// CHECK: error: the divisor is 0 [divide_by_zero]
// CHECK: error: the divisor is 0 [divide_by_zero]
// CHECK: error: the divisor is 0 [divide_by_zero]
// CHECK: error: the divisor is 0 [divide_by_zero]
