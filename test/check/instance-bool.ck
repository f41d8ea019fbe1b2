// A constant argument may be a truth value.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn g<const B: bool>(a: i32) -> i32 = B ? a : 7;
kernel k(y: out i32[2]) { y[0] = g<true>(3); y[1] = g<(1 > 2)>(4); }
// CHECK:      kernel k
