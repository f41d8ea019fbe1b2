// A number stands where a type is needed.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f<T: type>() {}
kernel k() { f<1.5>(); }
// CHECK: error: this is a value, a type is needed here [not_a_type]
