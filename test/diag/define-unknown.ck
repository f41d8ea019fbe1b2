// -D gives a value to a constant that the module has.
// RUN: %ckc %s -D N=5 --stop-after=check | FileCheck %s --check-prefix=GOOD
// RUN: not %ckc %s -D M=5 --stop-after=check 2>&1 | FileCheck %s
const N: u32 = 4;
// GOOD: constant N : u32
// GOOD: int 5 : u32
// CHECK: error: the module has no constant 'M' [define_unknown]
