// What <...> says is not overruled by the arguments.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn g<T: float>(a: T) -> T = a;
fn f(a: f32, b: f64) { let x = g<f64>(a); let y = g<f32>(b); }
// CHECK:      [[@LINE-1]]:58: error: cannot convert 'f64' to 'f32' [type_mismatch]
// CHECK-NOT: error:
