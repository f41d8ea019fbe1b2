// '&' of an integer and a comparison compares what '&' gives; of bools it is C's.
// RUN: %ckc %s --stop-after=check | FileCheck %s
const A = 6 & 3 == 2;
const B = 1 ^ 4 < 8;
const C = false & 1 == 0;
const D = 5 & (1 == 1 ? 4 : 0);
fn f(x: i32) -> bool = x & 1 == 1;
// CHECK: constant A
// CHECK-NEXT: bool true
// CHECK: constant B
// CHECK-NEXT: bool true
// CHECK: constant C
// CHECK-NEXT: bool false
// CHECK: constant D
// CHECK-NEXT: int 4
// CHECK: function f
// CHECK: binary ==
// CHECK-NEXT: binary & : i32
