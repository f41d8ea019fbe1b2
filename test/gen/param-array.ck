// An array that a kernel is passed by value is read where it lies, in parameter space, by functions too.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas-verify < %t.ptx %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_75 --backend=libnvvm -o %t.nvvm.ptx %}
// RUN: %if nvvm %{ FileCheck %s < %t.nvvm.ptx %}
// RUN: %if ptxas %{ %ptxas-verify < %t.nvvm.ptx %}
struct Weights { w: f32[16]; n: u32; }
fn Weights.at(i: u32) -> f32 = self.w[i % 16];
fn total(x: in f32[]) -> f32 { var t = 0.0; for (v in x) t += v; return t; }
kernel weighted(k: Weights, y: inout f32[64]) launch(block = 64, grid = 1)
{
    for (i in 0..k.n) y[thread.x] += k.w[(i + thread.x) % 16] + k.at(i * thread.x);
}
kernel viewed(k: Weights, y: inout f32[64]) launch(block = 64, grid = 1) { y[thread.x] = total(k.w) + total(k.w[2..5]); }
// CHECK-LABEL: .entry weighted
// CHECK-NOT: .local
// CHECK: ld.param.f32 %f{{[0-9]+}}, [%rd{{[0-9]+}}]
// CHECK-NOT: .local
// CHECK-LABEL: .entry viewed
// CHECK-NOT: .local
// CHECK: cvta.param.u64
