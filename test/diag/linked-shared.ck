// An exported function that no kernel calls is refused for its shared memory too, and for what it calls.
// RUN: not %ckc %s --stop-after=check --target=sm_90 2>&1 | FileCheck %s
fn tile(i: u32) -> u32 { shared t: u32[4]; t[i % 4] = i; return t[0]; }
export fn own(i: u32) -> u32 { shared s: u32[4]; s[i % 4] = i; return s[0]; }
export fn called(i: u32) -> u32 { return tile(i); }
export fn neither(i: u32) -> u32 { return i; }
// CHECK: 4:11: error: 'own' can't be linked: it has shared memory [linked_form]
// CHECK: 5:11: error: 'called' can't be linked: it has shared memory
// CHECK-NOT: error:
