// A literal of f32 is rounded once, from its text: 1 + 2^-24 + 2^-54 goes up.
// RUN: %ckc %s --stop-after=check | FileCheck %s
const A: f32 = 1.000000059604644830875;
const B: f32 = (/* not 2 */ 1.5);
// CHECK:      float 1.0000001192092896 : f32
// CHECK:      float 1.5 : f32
