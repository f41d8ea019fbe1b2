// A value's name is no type.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
const A = 1;
fn f(a: A) {}
// CHECK: error: 'A' is not a type [unknown_type]
