// Extents are expressions, or dyn.
// RUN: %ckc %s --emit=ast | FileCheck %s
kernel k(x: in f32[n * 2, dyn m]) {}
// CHECK:      a index
// CHECK-NEXT: name f32
// CHECK-NEXT: b binary *
// CHECK:      b dynamic
// CHECK-NEXT: name m
