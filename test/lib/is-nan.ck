// is_nan and is_inf are comparisons.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(a: f32, y: out bool[2]) { y[0] = is_nan(a); y[1] = is_inf(a); }
// CHECK:      fcmp une float %a, %a
// CHECK:      fcmp oeq float %{{.*}}, 0x7FF0000000000000
