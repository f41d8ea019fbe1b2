// <...> holds types and values.
// RUN: %ckc %s --emit=ast | FileCheck %s
const A = f<f32>(x);
const B = f<f32[4], 2 + 1>();
const C = inf<f64>;
const D = a.b<8>.c;
// CHECK:      b call
// CHECK-NEXT: instance
// CHECK-NEXT: name f
// CHECK-NEXT: name f32
// CHECK-NEXT: b name x
// CHECK:      instance
// CHECK-NEXT: name f
// CHECK-NEXT: index
// CHECK-NEXT: name f32
// CHECK-NEXT: b int 4
// CHECK-NEXT: binary +
// CHECK:      b instance
// CHECK-NEXT: name inf
// CHECK-NEXT: name f64
// CHECK:      b member c
// CHECK-NEXT: instance
// CHECK-NEXT: member b
