// A type that is not there is one message, wherever its variables go.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(a: foo) -> foo { var b: foo = a; let c = b + 1; return c; }
fn g() { let d = f(1) * 2; for (i: foo in 0..d) {} }
// CHECK:      error: 'foo' is not declared [undeclared]
// CHECK:      error: 'foo' is not declared
// CHECK:      error: 'foo' is not declared
// CHECK:      error: 'foo' is not declared
// CHECK-NOT: error:
