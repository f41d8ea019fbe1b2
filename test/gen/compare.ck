// Comparisons know signs, and are ordered but for !=.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
// RUN: %ckc %s --stop-after=gen --target=host | FileCheck %s
kernel k(a: i32, b: i32, c: u32, d: u32, e: f32, g: f32, y: out bool[5]) { y[0] = a < b; y[1] = c < d; y[2] = e < g; y[3] = e != g; y[4] = e == g; }
// CHECK:      icmp slt i32
// CHECK:      icmp ult i32
// CHECK:      fcmp olt float
// CHECK:      fcmp une float
// CHECK:      fcmp oeq float
