// A block's shared memory fits the target.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k() { shared a: f32[12289]; }
// CHECK: error: kernel 'k' has 49168 bytes of shared memory, a block has 49152 [shared_budget]
// CHECK: hint: Smaller tiles, or fewer of them, fit.
