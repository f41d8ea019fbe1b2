// Nothing converts between kinds unless it is written.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(a: f32, b: u32) { let i: i32 = a; let s: i32 = b; let c: bool = b; }
// CHECK: error: cannot convert 'f32' to 'i32' [type_mismatch]
// CHECK: hint: i32(a) converts it, and drops the fraction.
// CHECK: error: cannot convert 'u32' to 'i32' [type_mismatch]
// CHECK: error: cannot convert 'u32' to 'bool' [type_mismatch]
// CHECK: hint: Compare it: != 0.
