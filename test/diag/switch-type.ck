// A switch is over integers and enumerations.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(x: f32, b: bool) { switch (x) { case 1: return; } switch (b) { default: ; } }
// CHECK: error: a switch is over integers or an enumeration, not over 'f32' [switch_type]
// CHECK: hint: Ranges of floats are told apart by 'if'.
// CHECK: error: a switch is over integers or an enumeration, not over 'bool' [switch_type]
// CHECK: hint: A choice between two is 'if'.
