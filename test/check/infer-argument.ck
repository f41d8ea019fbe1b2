// An argument of the one function that there is takes its parameter's type.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn g(a: i32, b: u64) -> i64 = 1;
fn f(n: u32) { let x: i64 = g(1 << n, 1 << n); }
// CHECK:      call : i64
// CHECK:      binary << : i32
// CHECK:      binary << : u64
