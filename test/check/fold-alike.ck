// Integers wrap in constants and inside of expressions alike; literals without a type don't.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
const A: i32 = 2147483647i32 + 1;
const B = 2147483647 + 1;
const C: u64 = B;
static_assert(A == -2147483648 && A == ~0x7fffffff && C == 0x80000000, "the lowest");
fn next(x: i32) -> i32 = x + 1;
static_assert(next(2147483647) == A, "a call");
fn inside(n: i32) -> i32 = n + (2147483647i32 + 1);
static_assert(inside(1) == A + 1, "inside");
// CHECK: [[# @LINE + 1]]:16: error: 2147483648 does not fit in 'i32' [constant_range]
const D: i32 = B;
// CHECK: [[# @LINE + 1]]:33: error: 2147483648 does not fit in 'i32' [constant_range]
fn literal(n: i32) -> i32 = n + (2147483647 + 1);
// CHECK-NOT: error
