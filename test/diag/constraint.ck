// A type argument meets the constraint of its parameter.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn g<T: int>(a: T) -> T = a;
fn f() { let a = g(1.5f32); let b = inf<i32>; }
// CHECK: error: 'T' is 'f32', which is not 'int' [constraint]
// CHECK: note: 'T' is declared here
// CHECK: error: 'T' is 'i32', which is not a float type [constraint]
