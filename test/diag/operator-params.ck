// An operator takes as many operands as it has, and means what it means to scalars and vectors.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
struct P { x: f32; }
fn +(a: f32, b: f32) -> f32 = a - b;
// CHECK: error: '+' takes a struct, a tuple or an array as an operand [operator_params]
fn -(a: f32x2, b: f32x2) -> f32x2 = f32x2(9);
// CHECK: error: '-' takes a struct, a tuple or an array as an operand [operator_params]
fn -(a: f32x2) -> f32x2 = f32x2(9);
// CHECK: error: '-' takes a struct, a tuple or an array as an operand [operator_params]
fn [](a: f32x2, i: u32) -> f32 = 9;
// CHECK: error: '[]' takes a struct as its first operand [operator_params]
fn +(a: (f32, f32), b: f32) -> f32 = 9;
fn -(a: f32, b: f32[2]) -> f32 = 9;
fn *(a: P) -> P = a;
// CHECK: error: '*' takes two operands [operator_params]
fn !(a: P, b: P) -> P = a;
// CHECK: error: '!' takes one operand [operator_params]
fn -(a: P, b: P, c: P) -> P = a;
// CHECK: error: '-' takes one or two operands [operator_params]
fn [](a: P) -> f32 = a.x;
// CHECK: error: '[]' takes a value and its indices [operator_params]
fn &&(a: P, b: P) -> bool = true;
// CHECK: error: '&&' takes two bools [operator_params]
