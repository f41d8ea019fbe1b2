// A shift has the type of its left side, and a count of any integer type.
// RUN: %ckc %s --dump=check --stop-after=check | FileCheck %s
fn f(a: u8, b: u64, c: i32) { let d = a << b; let e = b >> c; let g = c << a; }
// CHECK: let d : u8
// CHECK: let e : u64
// CHECK: let g : i32
