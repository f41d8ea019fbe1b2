// A count that is not known is taken modulo the width.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(a: u32, b: u32, c: i64, y: out u32[2], z: out i64[1]) { y[0] = a << b; y[1] = a >> 3; z[0] = c >> b; }
// CHECK:      and i32 %b, 31
// CHECK:      shl i32
// CHECK:      lshr i32 %a, 3
// CHECK:      zext i32 %b to i64
// CHECK:      and i64 %{{.*}}, 63
// CHECK:      ashr i64
