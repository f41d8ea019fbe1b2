// f32 is rounded after each operation.
// RUN: %ckc %s --stop-after=check | FileCheck %s
const C0 = 16777216f32 + 1;
const C1 = 0.1f32 + 0.2f32;
const C2 = 0.1f64 + 0.2f64;
const C3 = 1.0 / 0.0;
const C4 = 1f32 / 3;
const C5 = -0.0f32;
const C6 = 3e38f32 * 10;
// CHECK:      b float 16777216 : f32
// CHECK:      b float 0.30000001192092896 : f32
// CHECK:      b float 0.30000000000000004 : f64
// CHECK:      b float inf : a number
// CHECK:      b float 0.3333333432674408 : f32
// CHECK:      b float -0 : f32
// CHECK:      b float inf : f32
