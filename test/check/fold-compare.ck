// Comparisons know the sign, and NaN.
// RUN: %ckc %s --stop-after=check | FileCheck %s
const C0 = -1 < 0;
const C1 = -1i32 < 0;
const C2 = 4294967295u32 > 0;
const C3 = nan == nan;
const C4 = nan != nan;
const C5 = inf > 1e38;
const C6 = nan < 1.0;
const C7 = true == false;
const C8 = 18446744073709551615 > -1;
// CHECK:      b bool true
// CHECK:      b bool true
// CHECK:      b bool true
// CHECK:      b bool false
// CHECK:      b bool true
// CHECK:      b bool true
// CHECK:      b bool false
// CHECK:      b bool false
// CHECK:      b bool true
