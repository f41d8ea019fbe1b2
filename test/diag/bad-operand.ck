// Each operator says what it does not take.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(a: f32, b: bool,
    i: i32) { let c = a % a; let d = b + b; let e = i && b; let g = ~a; let h = -b; }
// CHECK: error: '%' does not take 'f32' [bad_operand]
// CHECK: hint: The remainder of floats is fmod(a, b).
// CHECK: error: '+' does not take 'bool' [bad_operand]
// CHECK: error: '&&' does not take 'i32' [bad_operand]
// CHECK: hint: Compare it: != 0.
// CHECK: error: '~' does not take 'f32' [bad_operand]
// CHECK: error: '-' does not take 'bool' [bad_operand]
