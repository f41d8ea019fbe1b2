// A call that is no constant where one is asked for says what has no value yet; one that goes wrong is not reported twice.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
// CHECK: [[# @LINE + 6]]:11: error: the divisor is 0 [divide_by_zero]
// CHECK-NEXT: const A = half(3);
// CHECK-NEXT: ^~~~~~~
// CHECK: [[# @LINE + 2]]:26: note: this has no value before the program runs
// CHECK-NEXT: fn half(x: u32) -> u32 = x / (x - 3);
fn half(x: u32) -> u32 = x / (x - 3);
const A = half(3);
// CHECK: [[# @LINE + 3]]:11: error: this is not known at compile time [not_constant]
// CHECK: [[# @LINE + 2]]:11: note: after 1000000 steps there is no value yet
fn ever(x: u32) -> u32 { while (x > 0) { } return x; }
const B = ever(1);
// CHECK: [[# @LINE + 2]]:37: note: this has no value before the program runs
// CHECK-NEXT: fn says(x: u32) -> u32 { if (x > 2) print("x"); return x; }
fn says(x: u32) -> u32 { if (x > 2) print("x"); return x; }
const C = says(3) + says(2);
// CHECK: [[# @LINE + 1]]:38: error: this is not known at compile time [not_constant]
fn itself(x: u32) -> u32 { const N = itself(2); return N; }
// CHECK: [[# @LINE + 1]]:30: note: this has no value before the program runs
fn lane(x: f32) -> u32 = u32(sin(x)) + thread.x;
const D = lane(1);
// CHECK: [[# @LINE + 1]]:26: note: this has no value before the program runs
fn sure(x: u32) -> u32 { assert(x > 2); return x; }
const F = sure(3) + sure(2);
// CHECK: error: cannot convert 'f32' to 'u32'
// CHECK-NOT: error
fn wrong(x: u32) -> u32 { let y: u32 = 1.5f32; return x + y; }
const E = wrong(1);
