// Dynamic shared memory is .extern .shared, by libNVVM and NVPTX.
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 -o %t.1 %}
// RUN: %if nvvm %{ FileCheck %s < %t.1 %}
// RUN: %if ptxas %{ %if nvvm %{ %ptxas-verify < %t.1 %} %}
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.2
// RUN: FileCheck %s < %t.2
// RUN: %if ptxas %{ %ptxas-verify < %t.2 %}
kernel k(n: u32, x: in f32[n], y: out f32[n]) launch(block = 64, grid = 1)
{
    shared head: u8[dyn n];
    shared tile: f32[dyn n];
    shared large: f64[6200];
    tile[n - 1 - thread.x] = x[thread.x];
    large[thread.x] = 1;
    head[thread.x] = 3;
    block.sync();
    y[thread.x] = tile[thread.x] + f32(head[63 - thread.x]) + f32(large[63 - thread.x]);
}
// CHECK: .extern .shared .align 16 .b8 ck_dynamic_shared[];
// CHECK-NOT: .shared .align
// CHECK: .entry k
