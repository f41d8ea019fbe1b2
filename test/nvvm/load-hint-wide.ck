// x.load<N>(i) and x.store(i, v) take a word of the caches, in one access.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 -o %t.libnvvm
// RUN: FileCheck %s < %t.libnvvm
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
kernel k(x: in f32[64], h: inout f16[64], y: out f32[64], z: inout u32[64]) launch(block = 16, grid = 1)
{
    let i = 4 * thread.x;
    y.store(i, x.load<4>(i, cache = no_allocate), cache = streaming);
    h.store(i, h.load<4>(i, cache = global), cache = through);
    z.store(i, z.load<2>(i, cache = volatile), cache = volatile);
}
// CHECK: ld.global.nc.L1::no_allocate.v4.b32
// CHECK: st.global.cs.v4.b32
// CHECK: ld.global.cg.b64
// CHECK: st.global.wt.b64
// CHECK: ld.volatile.global.b64
// CHECK: st.volatile.global.b64
