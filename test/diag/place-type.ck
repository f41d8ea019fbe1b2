// What is stored in memory has the memory's type: the message stands at the value, and names both types.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel stored(d: in f64[1], x: inout f32[1], z: inout i32[1]) launch(block = 1, grid = 1)
{
    atomic.add(z[0], 1.5);
    // CHECK: :[[@LINE-1]]:22: error: 1.5 does not fit in 'i32' [constant_range]
    atomic.exchange(z[0], 1i64 << 40);
    // CHECK: :[[@LINE-1]]:27: error: cannot convert 'i64' to 'i32' [type_mismatch]
    store(x[0], d[0]);
    // CHECK: :[[@LINE-1]]:17: error: cannot convert 'f64' to 'f32' [type_mismatch]
    // CHECK: hint: f32(d[0]) converts it, and rounds.
    atomic.store(x[0], d[0]);
    // CHECK: :[[@LINE-1]]:24: error: cannot convert 'f64' to 'f32' [type_mismatch]
    // CHECK-NOT: error:
}
