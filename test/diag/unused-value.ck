// A value that goes nowhere is a mistake.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(a: u32) { a; a == 1; a + 1; }
// CHECK: error: the value of this expression goes nowhere [unused_value]
// CHECK: error: the value of this expression goes nowhere [unused_value]
// CHECK: hint: '=' assigns, '==' compares.
// CHECK: error: the value of this expression goes nowhere [unused_value]
