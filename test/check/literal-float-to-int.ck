// A float literal that is whole is an integer where one is asked for.
// RUN: %ckc %s --stop-after=check | FileCheck %s
fn f() { let a: i32 = 1e6; let b: u64 = 2.0; }
// CHECK:      int 1000000 : i32
// CHECK:      int 2 : u64
