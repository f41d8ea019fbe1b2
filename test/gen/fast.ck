// fast { ... } takes approximations for what is written in it, and for nothing that it calls.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 | FileCheck %s
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx | FileCheck %s
// RUN: %ckc %s --emit=ptx --target=sm_75 | %ptxas-verify
// RUN: %ckc %s --emit=ptx --target=sm_80 --backend=nvptx | %ptxas-verify
fn exact(x: f32) -> f32 = x / 3.0;
kernel k(a: f32, x: in f32[3], y: out f32[9]) launch(block = 1, grid = 1)
{
    y[0] = fast { exp(x[0]) / a };
    y[1] = fast { sqrt(a) + exact(a) };
    y[2] = x[1] / a;
    y[3] = fast_divide(fast_sin(x[2]), a);
    y[4] = fast { 1.0 / 4.0 };
}
// CHECK-LABEL: .entry k(
// CHECK: ex2.approx
// CHECK-NOT: div.rn
// CHECK: div.approx.f32
// CHECK: sqrt.approx.f32
// CHECK-NOT: sqrt.rn
// CHECK: div.rn.f32
// CHECK: div.rn.f32
// CHECK: sin.approx
// CHECK: div.approx.f32
