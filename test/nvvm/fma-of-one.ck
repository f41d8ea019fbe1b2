// A product is fused into a fma with 1, which is a sum for libNVVM; the host rounds both.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
kernel k(a: f32, b: f32, c: f32, y: out f32[1]) { y[0] = fma(1, a * b, c); }
// CHECK:      fma.rn.f32
// CHECK-NOT: mul
