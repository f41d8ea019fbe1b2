// Integers are cut, or extended by the sign of the type they come from.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(a: i8, b: u8, c: i64, y: out i32[3], p: out bool[1]) { y[0] = i32(a); y[1] = i32(b); y[2] = i32(c); p[0] = bool(c); }
// CHECK:      sext i8 %a to i32
// CHECK:      zext i8 %b to i32
// CHECK:      trunc i64 %c to i32
// CHECK:      icmp ne i64 %c, 0
