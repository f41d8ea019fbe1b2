// Typed integers wrap.
// RUN: %ckc %s --stop-after=check | FileCheck %s
const C0 = 4294967295u32 + 1;
const C1 = 0u8 - 1;
const C2 = 127i8 + 1;
const C3 = 2147483647i32 * 2;
const C4 = -(-128i8);
const C5 = 9223372036854775807i64 + 1;
const C6 = 200u8 * 2;
// CHECK:      b int 0 : u32
// CHECK:      b int 255 : u8
// CHECK:      b int -128 : i8
// CHECK:      b int -2 : i32
// CHECK:      b int -128 : i8
// CHECK:      b int -9223372036854775808 : i64
// CHECK:      b int 144 : u8
