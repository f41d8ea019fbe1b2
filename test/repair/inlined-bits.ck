// Functions that libNVVM inlines get no place in common for an f16 and for three bytes, which it refuses.
// REQUIRES: nvvm
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o - | FileCheck %s
// RUN: not %ckc %s --no-repair=inlined_bits --emit=ptx --target=sm_90 --backend=libnvvm -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WITHOUT
kernel k(x: in f16[64], y: inout f16[64], z: inout u8x3[64], w: inout boolx3[64]) launch(block = 64)
{
    let t = thread.x;
    y[t] = warp.shuffle_down(x[t] + x[t ^ 1], 2);
    z[t] = warp.shuffle_down(z[t] + u8x3(1, 2, 3), 2);
    w[t] = warp.broadcast(w[t] ^ boolx3(true, t > 7, false), 2);
}
// CHECK: .entry k
// CHECK: shfl
// WITHOUT: unsupported operation
