// Both sides of ?: are worked out if they are cheap, else one; a division is not cheap.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(p: bool, a: f32, x: in f32[4], y: out f32[3], i: i32, z: out i32[1]) { y[0] = p ? a : 1; y[1] = p ? x[0] : x[1]; z[0] = p ? i / 3 : i; }
// CHECK:      select i1
// CHECK:      choose.then:
// CHECK:      load float
// CHECK:      choose.else:
// CHECK:      load float
// CHECK:      phi float
// CHECK:      choose.then
// CHECK:      sdiv
// CHECK:      choose.end
