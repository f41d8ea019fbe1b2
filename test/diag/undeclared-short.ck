// A name of one letter has no neighbours.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(a: u32) -> u32 = b;
// CHECK: error: 'b' is not declared [undeclared]
// CHECK-NOT: hint:
