// A named argument names a parameter; types, builtins and steps have none.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn g(a: u32) {}
fn f() { g(b = 1); assert(c = true); for (i in (0..3).step(k = 2)) {} }
// CHECK: error: 'g' has no parameter 'b' [unknown_argument]
// CHECK: error: 'assert' has no parameter 'c' [unknown_argument]
// CHECK: error: 'step' has no parameter 'k' [unknown_argument]
