// Items of one name, and parameters of one list.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
const A = 1;
const A = 2;
fn f(a: u32, a: f32) {}
// CHECK: error: 'A' is declared twice [redeclared]
// CHECK: note: 'A' is declared here
// CHECK: error: 'a' is declared twice [redeclared]
