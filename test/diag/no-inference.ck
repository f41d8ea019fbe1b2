// A compile-time parameter that nothing says is named.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn zero<T: number>() -> T = T(0);
fn f() { let a = zero(); }
// CHECK: error: 'T' can't be inferred from the arguments of 'zero' [no_inference]
