// Of the overloads that fit, the one with the fewest conversions is called.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn g(a: u64) -> u64 = 1;
fn g(a: u32) -> u32 = 2;
fn g(a: f64) -> f64 = 3;
fn f(a: u32, b: u16, c: f32) { let x = g(a); let y = g(b); let z = g(c); }
// CHECK:      let x : u32
// CHECK:      let y : u64
// CHECK:      let z : f64
