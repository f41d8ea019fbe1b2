// A range of literals is one of i32, or of what is asked for.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn g(r: range<u8>) {}
fn f(n: u64) { let a = 0..3; g(0..4); for (i: i64 in 0..5) {} for (j in 0..n) {} let b = n > 1 ? (0..1) : (0..2); }
// CHECK:      let a : range<i32>
// CHECK:      range : range<u8>
// CHECK:      for i : i64
// CHECK:      for j : u64
// CHECK:      let b : range<i32>
