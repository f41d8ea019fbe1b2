// Signed and unsigned, integers and floats, bool and numbers never convert on their own.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(a: u32, b: i64, c: f32, d: bool) { let e: i64 = a; let g: u32 = b; let h: f64 = a; let i: u32 = c; let j: u32 = d; let k: bool = a; let l: f32 = 1.0f64; let m: u16 = a; }
// CHECK:      error: cannot convert 'u32' to 'i64' [type_mismatch]
// CHECK:      error: cannot convert 'i64' to 'u32' [type_mismatch]
// CHECK:      error: cannot convert 'u32' to 'f64' [type_mismatch]
// CHECK:      error: cannot convert 'f32' to 'u32' [type_mismatch]
// CHECK:      error: cannot convert 'bool' to 'u32' [type_mismatch]
// CHECK:      error: cannot convert 'u32' to 'bool' [type_mismatch]
// CHECK:      error: cannot convert 'f64' to 'f32' [type_mismatch]
// CHECK:      error: cannot convert 'u32' to 'u16' [type_mismatch]
