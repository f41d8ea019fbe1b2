// A condition is a bool.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(a: u32) { if (a) {} while (a) {} let b = a ? 1 : 2; }
// CHECK: error: the condition is 'u32', not 'bool' [not_bool]
// CHECK: hint: Compare it: != 0.
// CHECK: error: the condition is 'u32', not 'bool' [not_bool]
// CHECK: hint: Compare it: != 0.
// CHECK: error: the condition is 'u32', not 'bool' [not_bool]
// CHECK: hint: Compare it: != 0.
