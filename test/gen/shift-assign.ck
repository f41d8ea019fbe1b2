// <<= and >>= do as << and >> do.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(b: u64, y: inout u8[2], z: inout i8[1]) { y[0] <<= b; y[1] >>= 3; z[0] >>= 7; }
// CHECK:      trunc i64 %b to i8
// CHECK:      and i8 %{{.*}}, 7
// CHECK:      shl i8
// CHECK:      lshr i8 %{{.*}}, 3
// CHECK:      ashr i8 %{{.*}}, 7
