// A number has digits, of its base.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
const A = 0x;
const B = 0b;
const C = 1e5e6;
const D = 1.5e;
// CHECK: error: '0x' is not a number [number_digit]
// CHECK: error: '0b' is not a number [number_digit]
// CHECK: error: '1e5e6' is not a number [number_digit]
// CHECK: error: '1.5e' is not a number [number_digit]
