// Reductions of 32-bit integers are one instruction from sm_80 on, shuffles before.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_80 --backend=libnvvm -o %t.80
// RUN: FileCheck %s < %t.80
// RUN: %if ptxas %{ %ptxas-verify < %t.80 %}
// RUN: %ckc %s --emit=ptx --target=sm_80 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
// RUN: %ckc %s --emit=ptx --target=sm_75 --backend=libnvvm -o %t.75
// RUN: FileCheck %s --check-prefix=OLD < %t.75
// RUN: %if ptxas %{ %ptxas-verify < %t.75 %}
kernel k(x: in u32[32], s: in i32[32], y: out u32[32], z: out i32[32]) launch(block = 32, grid = 1)
{
    let i = thread.x;
    y[i] = warp.sum(x[i]) + warp.min(x[i]) + warp.and(x[i]) + warp.or(x[i]) + warp.xor(x[i]);
    z[i] = warp.max(s[i]);
}
// CHECK: redux.sync.add.u32
// CHECK: redux.sync.min.u32
// CHECK: redux.sync.and.b32
// CHECK: redux.sync.or.b32
// CHECK: redux.sync.xor.b32
// CHECK: redux.sync.max.s32
// CHECK-NOT: shfl
// OLD-NOT: redux
// OLD: shfl.sync.bfly.b32 {{.*}}, 16, 31, -1;
