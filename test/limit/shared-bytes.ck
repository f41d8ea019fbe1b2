// A block has 49152 bytes of shared memory, not more.
// RUN: split-file %s %t
// RUN: %ckc %t/good.ck --stop-after=gen -o %t/out
// RUN: not %ckc %t/bad.ck --stop-after=gen 2>&1 | FileCheck %s
//--- good.ck
kernel k() { shared a: f32[12284]; shared b: u8[1]; a[0] = 1; }
//--- bad.ck
kernel k() { shared a: f32[12284]; shared b: u8[17]; }
// CHECK: error: kernel 'k' has 49168 bytes of shared memory, a block has 49152 [shared_budget]
