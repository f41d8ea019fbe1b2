// Signed and unsigned do not mix, nor integers and floats.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(a: u32, b: i32, c: f32) { let d = a + b; let e = a < c; let g = true ? b : c; }
// CHECK: error: '+' of 'u32' and 'i32': neither type holds the other's values [no_common_type]
// CHECK: hint: Convert one side: u32(b) or i32(a).
// CHECK: error: '<' of 'u32' and 'f32': neither type holds the other's values [no_common_type]
// CHECK: error: '?:' of 'i32' and 'f32': neither type holds the other's values [no_common_type]
