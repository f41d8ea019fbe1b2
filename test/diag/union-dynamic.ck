// The parts of a union have constant extents, outermost or not.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(n: u32, y: out u32[1])
{
    shared union { a: u32[4]; b: f32[dyn n]; }
    y[0] = a[0] + u32(b[0]);
}
fn f(n: u32) { shared union { a: u32[dyn n]; b: f32[2]; } b[n] = f32(a[0]); }
// CHECK: :5:31: error: 'b' is a part of a union: its extents are constants [union_dynamic]
// CHECK: :8:31: error: 'a' is a part of a union: its extents are constants [union_dynamic]
