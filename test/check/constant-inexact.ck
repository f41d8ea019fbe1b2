// A function whose result is not exact is no constant, on no target and for no value.
// RUN: not %ckc %s --stop-after=check --target=host 2>&1 | FileCheck %s
// RUN: not %ckc %s --stop-after=check --target=sm_90 2>&1 | FileCheck %s
// CHECK: [[# @LINE + 1]]:11: error: this is not known at compile time [not_constant]
const A = sinpi(1.0);
// CHECK: [[# @LINE + 1]]:11: error: this is not known at compile time [not_constant]
const B = sinpi(0.3f64);
// CHECK: [[# @LINE + 1]]:11: error: this is not known at compile time [not_constant]
const C = cospi(1.0f16);
// CHECK: [[# @LINE + 1]]:11: error: this is not known at compile time [not_constant]
const D = rsqrt(4.0);
// CHECK-NOT: error
