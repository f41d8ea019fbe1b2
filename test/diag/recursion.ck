// A result that is worked out from itself needs its type written.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(n: u32) = n < 2 ? 1 : f(n - 1);
// CHECK: error: 'f' calls itself before the type of its result is known [recursion]
// CHECK: hint: Write the type of the result: fn f(...) -> T.
