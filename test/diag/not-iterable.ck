// for goes over ranges, and what has [] and .len.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(n: u32, x: in f32[,]) { for (i in n) {} for (v in x) {} }
// CHECK: error: 'u32' can't be iterated over [not_iterable]
// CHECK: hint: Write 0..n to count to n.
// CHECK: error: 'in f32[,]' can't be iterated over [not_iterable]
