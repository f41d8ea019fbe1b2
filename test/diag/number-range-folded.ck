// What comes out of literals has 64 bits and a sign.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
const C = 18446744073709551615 + 1;
const D = 1 << 64;
const E = 9223372036854775808 * 2;
const F = -18446744073709551615 - 1;
const G = 18446744073709551615 - 1;
// CHECK: error: the number does not fit in 64 bits [number_range]
// CHECK: error: the number does not fit in 64 bits [number_range]
// CHECK: error: the number does not fit in 64 bits [number_range]
// CHECK: error: the number does not fit in 64 bits [number_range]
// CHECK-NOT: error:
