// A constant array is not written, has no address, and holds what is known.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
const t: f32[2] = [1, 2];
fn set(x: out f32[]) { x[0] = 1; }
kernel k(n: u32)
{
    t[n] = 3;
    let p = address(t[n]);
    set(t);
    const u: u32[2] = [n, 1];
    let v = t[2];
    shared s: f32[2];
    atomic.add(t[n], 1);
}
// CHECK: :7:5: error: 't' can't change: it is bound by 'const' [assign_let]
// CHECK: :8:21: error: this has no address [no_address]
// CHECK: :9:9: error: {{.*}}
// CHECK: :10:23: error: this is not known at compile time [not_constant]
// CHECK: :11:15: error: {{.*}} [index_range]
// CHECK: :13:16: error: this is no memory that others see [not_memory]
