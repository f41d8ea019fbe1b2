// The root in libdevice's hypot is rounded right, as it is by libNVVM.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx | FileCheck %s
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm | FileCheck %s
kernel k(v: f32, y: out f32[1]) { y[0] = hypot(v, v + 1); }
// CHECK-NOT: sqrt.approx
// CHECK: sqrt.rn.f32
