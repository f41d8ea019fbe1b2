// Arrays hold scalars.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f() { var a: range<i32>[4]; }
// CHECK: error: an array can't hold 'range<i32>' [array_element]
