// Each integer type has its own range.
// RUN: split-file %s %t
// RUN: %ckc %t/good.ck --stop-after=gen -o %t/out
// RUN: not %ckc %t/bad.ck --stop-after=gen 2>&1 | FileCheck %s
//--- good.ck
const A: u8 = 255;
const B: i8 = -128;
const C: i64 = 9223372036854775807;
const D: i64 = -9223372036854775808;
const E: u64 = 18446744073709551615;
const F = -32768i16;
//--- bad.ck
const A: u8 = 256;
const B: i8 = -129;
const C: i64 = 9223372036854775808;
// CHECK: error: 256 does not fit in 'u8' [constant_range]
// CHECK: error: -129 does not fit in 'i8'
// CHECK: error: 9223372036854775808 does not fit in 'i64'
