// Shifts to the right keep the sign; literals have no width.
// RUN: %ckc %s --stop-after=check | FileCheck %s
const C0 = 1 << 40;
const C1 = -8 >> 1;
const C2 = -8i32 >> 1;
const C3 = 4294967288u32 >> 1;
const C4 = 1u8 << 7;
const C5 = 1i8 << 7;
const C6 = -1 >> 63;
// CHECK:      b int 1099511627776 : an integer
// CHECK:      b int -4 : an integer
// CHECK:      b int -4 : i32
// CHECK:      b int 2147483644 : u32
// CHECK:      b int 128 : u8
// CHECK:      b int -128 : i8
// CHECK:      b int -1 : an integer
