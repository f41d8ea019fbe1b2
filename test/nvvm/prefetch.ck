// Eviction priorities, and prefetches of one element's line, by libNVVM and NVPTX.
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_75 -o %t.1 %}
// RUN: %if nvvm %{ FileCheck %s < %t.1 %}
// RUN: %if ptxas %{ %if nvvm %{ %ptxas-verify < %t.1 %} %}
// RUN: %ckc %s --emit=ptx --target=sm_75 --backend=nvptx -o %t.2
// RUN: FileCheck %s < %t.2
// RUN: %if ptxas %{ %ptxas-verify < %t.2 %}
struct Pair { a: f32; b: u32; }
kernel k(n: u32, x: in f32x4[n], s: in Pair[n], y: out f32x4[n], z: inout f32x4[n]) launch(block = 32, grid = 1)
{
    prefetch(x[40]);
    prefetch(z[48], cache = all);
    // CHECK: prefetch.global.L2
    // CHECK: prefetch.global.L1
    var v = load(x[0], cache = evict_first) + load(x[1], cache = evict_last);
    // CHECK: ld.global.nc.L1::evict_first.v4.b32
    // CHECK: ld.global.nc.L1::evict_last.v4.b32
    v += load(z[0], cache = no_allocate);
    // CHECK: ld.global.L1::no_allocate.v4.b32
    v.x += load(s[2], cache = no_allocate).a;
    // CHECK: ld.global.nc.L1::no_allocate.b64
    store(y[1], v, cache = evict_first);
    store(y[2], v, cache = evict_last);
    // CHECK: st.global.L1::evict_first.v4.b32
    // CHECK: st.global.L1::evict_last.v4.b32
}
