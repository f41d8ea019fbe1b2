// A name of the program hides a type of the compiler.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn f32(a: u32) -> u32 = a;
fn g() { let a = f32(1); }
// CHECK:      let a : u32
