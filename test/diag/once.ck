// The same mistake in several instances is one message.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f<T: number>(x: T) -> T { let n: bool = missing; return x; }
kernel k(y: out f32[1], z: out i32[1]) { y[0] = f(1.0f32); z[0] = f(1i32); }
// CHECK:     error: 'missing' is not declared [undeclared]
// CHECK-NOT: error:
