// A dynamic array stands in the outermost block; its extents are the launch's.
// RUN: split-file %s %t
// RUN: not %ckc %t/extent.ck --stop-after=check 2>&1 | FileCheck %s
// RUN: not %ckc %t/nested.ck --stop-after=check 2>&1 | FileCheck %s --check-prefix=NESTED
//--- extent.ck
kernel k(n: u32, x: in f32[n])
{
    shared b: f32[dyn n, 2];
    let m = n + 1;
    shared c: f32[dyn m];
    shared d: f32[3, dyn x[0]];
}
// CHECK: :5:23: error: this is worked out before the kernel runs
// CHECK: :6:26: error: an index is an integer, this is 'f32'
//--- nested.ck
kernel k(n: u32) { if (n > 1) { shared a: f32[dyn n]; } f(); }
fn f() { shared t: f32[dyn 4]; }
// NESTED: :1:40: error: 'a' has an extent that the launch says: it is declared in the kernel's outermost block [shared_dynamic]
// NESTED: :2:17: error: 't' has an extent that the launch says
