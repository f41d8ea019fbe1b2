// A block's shared memory fits the target; what is largest is named first.
// RUN: not %ckc %s --stop-after=check --target=sm_75 2>&1 | FileCheck %s
fn f(n: u32) { shared t: u8[48000]; t[n] = 1; block.sync(); }
kernel k(n: u32) { shared a: f32[6000]; shared b: f32[100]; f(n); }
// CHECK: :4:8: error: kernel 'k' has 72400 bytes of shared memory, a block has 65536 on sm_75 [shared_budget]
// CHECK: note: 'f' has 48000 bytes
// CHECK: note: 'a' has 24000 bytes
// CHECK: note: 'b' has 400 bytes
// CHECK: hint: Smaller tiles, or fewer of them, fit;
