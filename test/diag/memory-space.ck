// memcpy_async goes from global to shared memory, where the compiler sees which it is.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(x: in f32[64], y: out f32[64])
{
    shared t: f32[64];
    shared u: f32[64];
    memcpy_async(y[0], x[0]);
    memcpy_async(t[0], u[0]);
    memcpy_async(t[0], address(x[0])[0]);
    var v = 0.0;
    memcpy_async(v, x[0]);
    let p = ptr<f32, global>(address(t[0]));
}
// CHECK: 7:18: error: this is global memory, where shared memory is expected [memory_space]
// CHECK: 8:24: error: this is shared memory, where global memory is expected [memory_space]
// CHECK-NOT: :9:
// CHECK: 11:18: error: this is no memory that others see [not_memory]
// CHECK: 12:30: error: this is shared memory, where global memory is expected [memory_space]
