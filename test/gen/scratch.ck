// Scratch memory is a last parameter; its variables follow each other, and PTX of both assembles.
// RUN: %ckc %s --emit=llvm --target=sm_90 --backend=libnvvm | FileCheck %s
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t
// RUN: FileCheck %s --check-prefix=PTX < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
kernel k(n: u32, x: in f32[n], y: out f32[n]) launch(block = 32, grid = n)
{
    scratch a: f32[n];
    scratch b: f32[n];
    a[thread.x] = x[thread.x];
    b[thread.x] = a[thread.x] + 1;
    block.sync();
    y[thread.x] = b[31 - thread.x];
}
// CHECK: define ptx_kernel void @k({{.*}}, ptr addrspace(1) noalias %scratch)
// PTX: .entry k(
// PTX: k_param_3
