// An array type has 16777216 elements, not more.
// RUN: split-file %s %t
// RUN: not %ckc %t/good.ck --stop-after=check 2>&1 | FileCheck %s --check-prefix=GOOD
// RUN: not %ckc %t/bad.ck --stop-after=check 2>&1 | FileCheck %s
//--- good.ck
kernel k() { shared a: u8[4096, 4096]; }
//--- bad.ck
kernel k() { shared a: u8[4096, 4097]; }
// GOOD: error: kernel 'k' has 16777216 bytes of shared memory, a block has 232448 on host [shared_budget]
// CHECK: error: an array has 16781312 elements along this extent, it needs 1 to 16777216 [array_extent]
