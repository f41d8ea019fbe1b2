// && and || look at their right side only if they must.
// RUN: %ckc %s --stop-after=check | FileCheck %s
const C0 = true || false;
const C1 = false && true;
const C2 = !(1 > 2) && 3 >= 3;
const C3 = true ? 1 : 2;
const C4 = 1 > 2 ? 1i64 : 2;
// CHECK:      b bool true
// CHECK:      b bool false
// CHECK:      b bool true
// CHECK:      b int 1 : an integer
// CHECK:      b int 2 : i64
