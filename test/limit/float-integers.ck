// An integer literal is a float if that holds it.
// RUN: split-file %s %t
// RUN: %ckc %t/good.ck --stop-after=gen -o %t/out
// RUN: not %ckc %t/bad.ck --stop-after=gen 2>&1 | FileCheck %s
//--- good.ck
const A: f32 = 16777216;
const B: f64 = 9007199254740992;
const C: f32 = 33554432;
//--- bad.ck
const A: f32 = 16777217;
const B: f64 = 9007199254740993;
// CHECK: error: 16777217 does not fit in 'f32' [constant_range]
// CHECK: error: 9007199254740993 does not fit in 'f64'
