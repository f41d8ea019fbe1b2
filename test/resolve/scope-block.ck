// A name ends with its block.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f() { { let a = 1; } let b = a; }
// CHECK:      : error: 'a' is not declared [undeclared]
