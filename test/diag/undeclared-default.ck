// A default knows no other parameter, and no other field.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(a: i32, b: i32 = a) -> i32 = a + b;
// CHECK: error: 'a' is not declared [undeclared]
struct P { x: f32; y: f32 = x; }
// CHECK: error: 'x' is not declared [undeclared]
