// A literal has 64 bits, and so has what comes out of literals.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
const A = 18446744073709551616;
const B = 0x10000000000000000;
const C = 0;
// CHECK: error: the number does not fit in 64 bits [number_range]
// CHECK: error: the number does not fit in 64 bits [number_range]
// CHECK-NOT: error:
