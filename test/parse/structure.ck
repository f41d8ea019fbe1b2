// A structure has fields, defaults, methods and compile-time parameters.
// RUN: %ckc %s --emit=ast | FileCheck %s
struct P<T: type> {
  lo: T;
  hi: f32 = 1.0;
  fn sum() -> T = lo + hi;
}
// CHECK:      a structure P
// CHECK-NEXT: a type_param T
// CHECK-NEXT: a name type
// CHECK-NEXT: b field lo
// CHECK-NEXT: name T
// CHECK-NEXT: b field hi
// CHECK-NEXT: name f32
// CHECK-NEXT: b float 1
// CHECK-NEXT: b function sum
