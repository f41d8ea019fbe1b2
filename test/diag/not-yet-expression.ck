// dyn says that it is not there yet.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(n: u32) { shared s: f32[dyn n]; }
fn f() { shared t: f32[4]; }
// CHECK: error: dynamic: this version
// CHECK: error: shared memory outside a kernel's body: this version
