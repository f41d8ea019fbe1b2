// An operator takes as many operands as it has, and means what it means between scalars.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
struct P { x: f32; }
fn +(a: f32, b: f32) -> f32 = a - b;
// CHECK: error: '+' takes a type that the program declares, these are scalars [operator_params]
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
