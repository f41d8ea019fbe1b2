// A number has 64 bits, not 65.
// RUN: split-file %s %t
// RUN: %ckc %t/good.ck --stop-after=gen -o %t/out
// RUN: not %ckc %t/bad.ck --stop-after=gen 2>&1 | FileCheck %s
//--- good.ck
const A = 18446744073709551615;
const B = 0xffff_ffff_ffff_ffff;
const C = -18446744073709551615;
//--- bad.ck
const A = 18446744073709551616;
// CHECK: error: the number does not fit in 64 bits [number_range]
