// The number of arguments is that of the parameters.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn g(a: u32, b: u32 = 1) {}
fn f() { g(); g(1, 2, 3); f(1); let a = f32(1, 2); assert(); trap(1); (0..3).step(); }
// CHECK: error: 'g' takes 1 to 2 arguments, 0 are given [argument_count]
// CHECK: note: 'g' is declared here
// CHECK: error: 'g' takes 1 to 2 arguments, 3 are given [argument_count]
// CHECK: error: 'f' takes no arguments, 1 are given [argument_count]
// CHECK: error: 'f32' takes 1 argument, 2 are given [argument_count]
// CHECK: error: 'assert' takes 1 or 2 arguments, 0 are given
// CHECK: error: 'trap' takes 0 arguments, 1 are given
// CHECK: error: 'step' takes 1 argument, 0 are given
