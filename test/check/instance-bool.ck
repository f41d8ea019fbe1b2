// A constant argument may be a truth value.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn g<const B: bool>(a: i32) -> i32 = B ? a : 7;
fn h<const A: i32, const B: bool, const C: i32>(a: i32) -> i32 = B ? a : A + C;
kernel k(y: out i32[2]) { y[0] = g<true>(3); y[1] = g<(1 > 2)>(4) + h<3, (1 == 2 || !true), 4>(4); }
// CHECK:      kernel k
