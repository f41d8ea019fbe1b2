// A constant fits the type that it is given.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn f() { let a: u8 = 256; let b: u32 = -1; let c: i32 = 1.5; let d: f32 = 16777217; }
// CHECK: error: 256 does not fit in 'u8' [constant_range]
// CHECK: error: -1 does not fit in 'u32' [constant_range]
// CHECK: hint: 'u32' has no negative values; ~0u32 has all bits set.
// CHECK: error: 1.5 does not fit in 'i32' [constant_range]
// CHECK: hint: An 'i32' has no fraction.
// CHECK: error: 16777217 does not fit in 'f32' [constant_range]
