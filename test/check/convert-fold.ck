// Constants convert as the program would: integers wrap, floats saturate, NaN is 0.
// RUN: %ckc %s --stop-after=check | FileCheck %s
const A = u8(300);
const B = i8(200);
const C = u32(-1);
const D = i32(1e20);
const E = u8(-5.5);
const F = i32(nan<f32>);
const G = f32(16777217);
const H = bool(2);
const I = i32(-2.9);
const J = i64(3000000000u32);
const K = u64(-1i8);
const L = f32(0.1f64);
// CHECK:      int 44 : u8
// CHECK:      int -56 : i8
// CHECK:      int 4294967295 : u32
// CHECK:      int 2147483647 : i32
// CHECK:      int 0 : u8
// CHECK:      int 0 : i32
// CHECK:      float 16777216 : f32
// CHECK:      bool true
// CHECK:      int -2 : i32
// CHECK:      int 3000000000 : i64
// CHECK:      int 18446744073709551615 : u64
// CHECK:      float 0.10000000149011612 : f32
