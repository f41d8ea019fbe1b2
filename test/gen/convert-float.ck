// Integers and floats.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(a: i32, b: u32, c: bool, d: f64, y: out f32[4]) { y[0] = f32(a); y[1] = f32(b); y[2] = f32(c); y[3] = f32(d); }
// CHECK:      sitofp i32 %a to float
// CHECK:      uitofp i32 %b to float
// CHECK:      uitofp i1
// CHECK:      fptrunc double %d to float
