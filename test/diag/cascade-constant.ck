// A constant that is at fault is one message, wherever it is used.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
const A = 1 / 0;
const B = A + 1;
static_assert(B == 2);
kernel k(y: out f32[B]) launch(block = A) { shared s: f32[A]; y[A] = 1; comptime if (B > 1) {} }
// CHECK:      error: the divisor is 0 [divide_by_zero]
// CHECK-NOT: error:
