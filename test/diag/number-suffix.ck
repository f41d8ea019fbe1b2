// A type follows the digits; C's suffixes get a hint.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
const A = 1.0f;
const B = 1UL;
const C = 1.5u32;
// CHECK: error: 'f' is not a number's type [number_suffix]
// CHECK: hint: f32 is what a number with a point is anyway; '1.0f32' says so.
// CHECK: error: 'UL' is not a number's type [number_suffix]
// CHECK: hint: Types follow the digits: 1u32, 1i64, 1u64.
// CHECK: error: 'u32' is not a number's type [number_suffix]
