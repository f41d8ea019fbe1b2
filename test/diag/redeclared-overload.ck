// Functions of one name differ in their parameters.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(a: i32) -> i32 = 1;
fn f(a: f32) -> i32 = 1;
fn f(b: i32) -> f32 = 2.0;
// CHECK: [[@LINE-1]]:4: error: 'f' is declared twice [redeclared]
// CHECK: note: 'f' is declared here
// CHECK-NOT: error:
