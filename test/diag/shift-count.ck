// A constant shift is below the width.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f(n: u32) { let a = n << 32; var b = n; b >>= 33; let c = 1u8 << 8; let d = n << -1; }
// CHECK: error: a shift by 32: 'u32' has 32 bits [shift_count]
// CHECK: error: a shift by 33: 'u32' has 32 bits [shift_count]
// CHECK: error: a shift by 8: 'u8' has 8 bits [shift_count]
// CHECK: error: a shift by -1: 'u32' has 32 bits [shift_count]
