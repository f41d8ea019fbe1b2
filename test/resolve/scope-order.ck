// A local is not seen before it is declared; items are.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f() -> u32 = g();
fn g() -> u32 { let a = b; let b = 1; return C; }
const C = 3;
// CHECK:      :4:25: error: 'b' is not declared [undeclared]
// CHECK-NOT: error:
