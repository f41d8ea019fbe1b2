// Products are fused into sums, and the sums stay in their order: the constant comes last.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
kernel k(a: f32, b: f32, y: out f32[1]) { y[0] = a * a + b * b + 1e-3; }
// CHECK: mul{{.*}}.f32
// CHECK: fma.rn.f32
// CHECK: add{{.*}}.f32 {{.*}}, 0f3A83126F;
