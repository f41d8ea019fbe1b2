// Functions that libNVVM puts into one get no place in common for a f16 and for three bytes.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o - | FileCheck %s
kernel k(x: in f16[64], y: inout f16[64], z: inout u8x3[64], w: inout boolx3[64]) launch(block = 64)
{
    let t = thread.rank;
    y[t] = warp.shuffle_down(x[t] + x[t ^ 1], 2);
    z[t] = warp.shuffle_down(z[t] + u8x3(1, 2, 3), 2);
    w[t] = warp.broadcast(w[t] ^ boolx3(true, t > 7, false), 2);
}
// CHECK: .entry k
// CHECK: shfl
