// A call is a statement, also where its result is dropped.
// RUN: %ckc %s --dump=check --stop-after=check | FileCheck %s
fn g(a: u32) -> u32 = a;
kernel k(x: inout u32[1]) { g(1); atomic.add(x[0], 1); }
// CHECK: evaluate
// CHECK: evaluate
