// A literal prefers i32 and f32.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn g(a: f64) -> f64 = 1;
fn g(a: f32) -> f32 = 1;
fn g(a: u8) -> u8 = 1;
fn g(a: i32) -> i32 = 1;
fn f() { let x = g(1); let y = g(1.5); }
// CHECK:      let x : i32
// CHECK:      let y : f32
