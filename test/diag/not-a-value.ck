// Types, functions, groups and texts are no values.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f() {}
kernel k() { let a = f32; let b = k; let c = block; let d = "x"; let e = f(); }
// CHECK: 'f32' is the type f32, a value is needed here [not_a_value]
// CHECK: 'k' is a function, a value is needed here [not_a_value]
// CHECK: hint: Call it: k(...).
// CHECK: 'block' is a group of threads, a value is needed here [not_a_value]
// CHECK: '"x"' is a text, a value is needed here [not_a_value]
// CHECK: 'f()' is nothing, a value is needed here [not_a_value]
