// print and assert take a text in quotes.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(a: i32) { print(a); assert(true, a); }
// CHECK: error: 'print' takes a text in quotes here [not_string]
// CHECK: error: 'assert' takes a text in quotes here [not_string]
