// A type follows the digits; C's suffixes have a fix, and the compiler goes on.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
const A = 1.0f;
const B = 1UL;
const C = 1.5u32;
const D = 3.f + 1f + 2.0L;
// CHECK: 3:14: error: 'f' is not a number's type [number_suffix]
// CHECK: hint: f32 is what a number with a point is anyway; '1.0f32' says so.
// CHECK: fix: leave out 'f'
// CHECK: 4:12: error: 'UL' is not a number's type [number_suffix]
// CHECK: fix: write 'u64' instead
// CHECK: 5:14: error: 'u32' is not a number's type [number_suffix]
// CHECK: 6:13: error: 'f' is not
// CHECK: fix: leave out 'f'
// CHECK: 6:18: error: 'f' is not
// CHECK: fix: write 'f32' instead
// CHECK: 6:25: error: 'L' is not
// CHECK: fix: write 'f64' instead
