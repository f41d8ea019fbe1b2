// Extents, const, comptime conditions and constant arguments are known at compile time.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
fn g<const N: u32>() {}
fn f(n: u32) { var a: f32[n]; const B = n; comptime if (n > 1) {} g<n>(); static_assert(n > 1); }
// CHECK: error: this is not known at compile time [not_constant]
// CHECK: error: this is not known at compile time [not_constant]
// CHECK: error: this is not known at compile time [not_constant]
// CHECK: error: this is not known at compile time [not_constant]
// CHECK: error: this is not known at compile time [not_constant]
