// A list takes the type that is asked for, or that of its widest element.
// RUN: %ckc %s --dump=check --stop-after=check | FileCheck %s
fn f(a: u8, b: u32) { let c = [a, b]; let d: f64[2] = [1, 2]; let e = [1, 2]; let g = [1, 2.5]; let h = [a, 1]; }
// CHECK: let c : u32[2]
// CHECK: let d : f64[2]
// CHECK: let e : i32[2]
// CHECK: let g : f32[2]
// CHECK: let h : u8[2]
