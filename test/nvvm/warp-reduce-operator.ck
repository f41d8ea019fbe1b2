// warp.reduce with an operator of 32-bit integers is one instruction; other functions are shuffles.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_80 --backend=libnvvm -o %t.80
// RUN: FileCheck %s < %t.80
// RUN: %if ptxas %{ %ptxas-verify < %t.80 %}
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
struct Item { key: u8; value: f64; }
kernel k(x: in u32[32], y: out u32[32]) launch(block = 32, grid = 1)
{
    let i = thread.x;
    y[i] = warp.reduce(x[i], +) + u32(warp.reduce(i32(x[i]), max)) + warp.reduce(x[i], ^);
}
// CHECK: redux.sync.add.u32
// CHECK: redux.sync.max.s32
// CHECK: redux.sync.xor.b32
// CHECK-NOT: shfl
kernel other(x: in u32[32], y: out f64[32]) launch(block = 32, grid = 1)
{
    let item = warp.reduce(Item(u8(x[thread.x]), 2), |a, b| a.key < b.key ? a : b);
    y[thread.x] = item.value + f64(item.key) + f64(warp.inclusive_scan(bf16(1), *));
}
// CHECK: .entry other
// CHECK-NOT: local
// CHECK: shfl.sync.down
// CHECK-NOT: local
// CHECK: shfl.sync.up
