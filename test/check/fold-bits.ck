// Bits of literals are those of two's complement.
// RUN: %ckc %s --stop-after=check | FileCheck %s
const C0 = ~0;
const C1 = ~5u8;
const C2 = 6 & -2;
const C3 = 5 | -8;
const C4 = 5 ^ -1;
const C5 = true ^ true;
const C6 = true & false | true;
// CHECK:      b int -1 : an integer
// CHECK:      b int 250 : u8
// CHECK:      b int 6 : an integer
// CHECK:      b int -3 : an integer
// CHECK:      b int -6 : an integer
// CHECK:      b bool false
// CHECK:      b bool true
