// A block has as much shared memory as its target: over 48 KB it is dynamic.
// RUN: split-file %s %t
// RUN: %ckc %t/good.ck --target=sm_75 --emit=manifest | FileCheck %s --check-prefix=STATIC
// RUN: %ckc %t/large.ck --target=sm_75 --emit=manifest | FileCheck %s --check-prefix=LARGE
// RUN: not %ckc %t/bad.ck --target=sm_75 --stop-after=gen 2>&1 | FileCheck %s
// RUN: not %ckc %t/huge.ck --target=sm_90 --stop-after=gen 2>&1 | FileCheck %s --check-prefix=HUGE
//--- good.ck
kernel k() { shared a: f32[12284]; shared b: u8[1]; a[0] = 1; }
// STATIC-NOT: dynamic_shared
// STATIC: "shared_bytes": 49152
//--- large.ck
kernel k() { shared a: f32[12284]; shared b: u8[17]; }
// LARGE: "dynamic_shared": "49168"
// LARGE: "shared_bytes": 0
//--- bad.ck
kernel k() { shared a: f32[12284]; shared b: f32[4101]; }
// CHECK: error: kernel 'k' has 65552 bytes of shared memory, a block has 65536
//--- huge.ck
kernel k() { shared a: f32[58112]; shared b: u8[1]; }
// HUGE: error: kernel 'k' has 232464 bytes of shared memory, a block has 232448 on sm_90 [shared_budget]
