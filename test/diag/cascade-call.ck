// A call that is at fault is one message.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn g(a: u32) -> u32 = a;
fn f() { let a = g(1.5) + g(2); let b = a * 2.5; let c = g(a, b)[0].x; }
// CHECK:      error: 1.5 does not fit in 'u32' [constant_range]
// CHECK-NOT: error:
