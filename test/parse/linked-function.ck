// Functions of a link: one that others call, one that another piece has.
// RUN: %ckc %s --emit=ast | FileCheck %s
export fn mine(x: f32) -> f32 = 2 * x;
// CHECK:      a function mine exported
// CHECK:      d block
import fn theirs(x: f32, p: ptr<f32>);
// CHECK:      a function theirs imported
// CHECK-NEXT:   b param x
// CHECK:        b param p
// CHECK-NOT:    d block
export named, other<2>;
// CHECK:      a export
kernel named() {}
kernel other<const N: u32>() {}
