// A variable has a type or a value.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f() { var a; }
// CHECK: error: 'a' needs a type or a value [needs_type]
