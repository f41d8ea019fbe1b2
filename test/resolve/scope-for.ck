// The counter of a loop is seen in its body alone, and not in its range.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn f(i: i64) { for (i in 0..i) { let a = i; } let b = i; }
// CHECK:      a let a : i64
// CHECK:      a let b : i64
