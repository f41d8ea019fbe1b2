// Where a pointer points is shared, global, or not said.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(a: ptr<f32, shared>, b: ptr<f32, global>, c: ptr<f32>) {}
fn g(a: ptr<f32, local>) {}
// CHECK: error: a pointer is ptr<T>, ptr<T, shared> or ptr<T, global> [pointer_space]
