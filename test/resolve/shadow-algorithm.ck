// A declaration of the program hides the library's name of a way to do it.
// RUN: %ckc %s --dump=check --stop-after=check | FileCheck %s
const raking = 1.5;
fn f() { let a = raking; }
// CHECK: let a : f32
