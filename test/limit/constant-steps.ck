// The calls of a constant take 1000000 steps, and are 1500 deep, with all that is inside them.
// RUN: %ckc %s --stop-after=check
// RUN: not %ckc %s -DMORE=1 --stop-after=check 2>&1 | FileCheck %s
const MORE = 0;
fn count(n: u32) -> u32 { var s = 0u32; for (k in 0..n) s += k; return s; }
fn down(n: u32) -> u32 = n == 0 ? 0 : down(n - 1);
// CHECK: [[# @LINE + 2]]:11: error: this is not known at compile time [not_constant]
// CHECK: note: after 1000000 steps there is no value yet
const A = count(MORE == 0 ? 200000 : 400000);
// CHECK: [[# @LINE + 1]]:11: error: this is not known at compile time [not_constant]
const B = down(MORE == 0 ? 180 : 1500);
