// import takes a text, export a list.
// RUN: %ckc %s --emit=ast | FileCheck %s
import "math/more.ck";
export k, k<f32, 2>;
// CHECK:      a import "math/more.ck"
// CHECK:      a export
// CHECK-NEXT: name k
// CHECK-NEXT: instance
// CHECK-NEXT: name k
// CHECK-NEXT: name f32
// CHECK-NEXT: int 2
