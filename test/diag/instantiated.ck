// A mistake in an instance says where the instance comes from.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn g<T: type>(a: T) -> T = a % a;
fn h<T: type>(a: T) -> T = g(a);
kernel k(x: f32, y: out f32[1]) { y[0] = h(x); }
// CHECK: error: '%' does not take 'f32' [bad_operand]
// CHECK: note: in 'g<f32>', instantiated here
// CHECK: note: in 'h<f32>', instantiated here
