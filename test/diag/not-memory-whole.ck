// A span or an array is not one place: one of its elements is.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(n: u32, x: inout f32[n], m: inout u32[n, n])
{
    shared t: u32[64];
    atomic.add(x, 1);
    atomic.add(m, 1);
    atomic.add(t, 1);
    let v = load(x);
}
// CHECK: :6:16: error: this is no memory that others see [not_memory]
// CHECK: hint: Name one element: x[i].
// CHECK: :7:16: error: this is no memory that others see [not_memory]
// CHECK: hint: Name one element: m[i, j].
// CHECK: :8:16: error: this is no memory that others see [not_memory]
// CHECK: hint: Name one element: t[i].
// CHECK: :9:18: error: this is no memory that others see [not_memory]
