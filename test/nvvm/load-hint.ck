// Loads and stores with hints, by libNVVM and NVPTX. What nothing writes is also loaded by .nc.
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_80 -o %t.1 %}
// RUN: %if nvvm %{ FileCheck %s < %t.1 %}
// RUN: %if ptxas %{ %if nvvm %{ %ptxas-verify < %t.1 %} %}
// RUN: %ckc %s --emit=ptx --target=sm_80 --backend=nvptx -o %t.2
// RUN: FileCheck %s < %t.2
// RUN: %if ptxas %{ %ptxas-verify < %t.2 %}
kernel k(n: u32, x: in f32[n], b: in u8[n], y: out f32[n], z: out u8[n])
{
    shared s: f32[32];
    y[0] = load(x[0]) + load(x[1], cache = global) + load(x[2], cache = streaming);
    // CHECK: ld.global.ca.nc.b32
    // CHECK: ld.global.cg.nc.b32
    // CHECK: ld.global.cs.nc.b32
    y[1] = load(x[3], cache = last) + load(x[4], cache = no_allocate) + load(x[5], cache = constant);
    // CHECK: ld.global.lu.b32
    // CHECK: ld.global.nc.L1::no_allocate.b32
    // CHECK: ld.global.nc.b32
    y[2] = load(x[6], cache = through) + load(x[7], cache = volatile) + load(s[1], cache = streaming);
    // CHECK: ld.global.cv.b32
    // CHECK: ld.volatile.global.b32
    // CHECK: ld.shared.b32
    store(z[0], load(b[0], cache = streaming), cache = streaming);
    // CHECK: ld.global.cs.nc.b8
    // CHECK: st.global.cs.b8
    store(y[3], 1, cache = all); store(y[4], 1, cache = global); store(y[5], 1, cache = through);
    // CHECK: st.global.wb.b32
    // CHECK: st.global.cg.b32
    // CHECK: st.global.wt.b32
    store(y[6], 1, cache = no_allocate); store(y[7], 1, cache = volatile);
    // CHECK: st.global.L1::no_allocate.b32
    // CHECK: st.volatile.global.b32
}
