// A parameter, or a part of launch, is given once.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn g(a: u32, b: u32) {}
fn f() { g(1, a = 1); }
kernel k() launch(block = 1, block = 2) {}
// CHECK: error: the parameter 'a' is given twice [twice_argument]
// CHECK: error: the parameter 'block' is given twice [twice_argument]
