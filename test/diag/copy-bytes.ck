// An asynchronous copy has three sizes.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(x: in u8[64], y: in f32[64])
{
    shared t: u8[64];
    shared u: f32[64];
    memcpy_async(t[0], x[0]);
    memcpy_async<8>(u[0], y[0]);
    memcpy_async<2>(u[0], y[0]);
}
// CHECK: copy-bytes.ck:7:5: error: an asynchronous copy is 4, 8 or 16 bytes, this is 1 [copy_bytes]
// CHECK: copy-bytes.ck:8:5: error: an asynchronous copy is 4, 8 or 16 bytes, this is 32 [copy_bytes]
// CHECK-NOT: copy_bytes
