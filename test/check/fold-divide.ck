// Division goes towards 0; the lowest by -1 is itself, remainder 0.
// RUN: %ckc %s --stop-after=check | FileCheck %s
const C0 = -7 / 2;
const C1 = -7 % 2;
const C2 = 7i32 / -2;
const C3 = 7i32 % -2;
const C4 = -2147483648i32 / -1;
const C5 = -2147483648i32 % -1;
const C6 = 4294967295u32 / 2;
// CHECK:      b int -3 : an integer
// CHECK:      b int -1 : an integer
// CHECK:      b int -3 : i32
// CHECK:      b int 1 : i32
// CHECK:      b int -2147483648 : i32
// CHECK:      b int 0 : i32
// CHECK:      b int 2147483647 : u32
