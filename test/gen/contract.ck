// Products, sums and differences may be contracted, quotients not.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
// RUN: %ckc %s --stop-after=gen --target=host | FileCheck %s
kernel k(a: f32, b: f32, y: out f32[4]) { y[0] = a * b; y[1] = a + b; y[2] = a - b; y[3] = a / b; }
// CHECK:      fmul contract float
// CHECK:      fadd contract float
// CHECK:      fsub contract float
// CHECK:      fdiv float
