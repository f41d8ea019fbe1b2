// An integer written as f32 is one.
// RUN: %ckc %s --stop-after=check | FileCheck %s
const A = 16777217f32 - 16777216f32;
// CHECK:      float 0 : f32
