// A function that is one expression has its type.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn g(a: f32) = a > 1;
fn h() = i();
fn i() = 2u8;
fn f() { let x = g(1); let y = h(); }
// CHECK:      let x : bool
// CHECK:      let y : u8
