// Atomics carry order, scope and state space, the same by libNVVM and NVPTX.
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 -o %t.1 %}
// RUN: %if nvvm %{ FileCheck %s < %t.1 %}
// RUN: %if ptxas %{ %if nvvm %{ %ptxas-verify < %t.1 %} %}
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.2
// RUN: FileCheck %s < %t.2
// RUN: %if ptxas %{ %ptxas-verify < %t.2 %}
kernel k(i: u32, v: f32, a: inout u32[8], f: inout f32[8], d: inout f64[8], h: inout i16[8], l: inout i64[8], o: out u32[4])
{
    shared s: u32;
    o[0] = atomic.add(a[0], i);
    // CHECK: atom.relaxed.gpu.global.add.u32
    o[1] = atomic.min(s, i, scope = block);
    // CHECK: atom.relaxed.cta.shared.min.u32
    atomic.add(d[0], f64(v), order = seq_cst, scope = system);
    // CHECK: fence.sc.sys; atom.acquire.sys.global.add.f64
    atomic.add(f[0], v, order = acq_rel, scope = cluster);
    // CHECK: atom.acq_rel.cluster.global.add.f32
    atomic.max(f[1], v);
    // CHECK: atom.relaxed.gpu.global.cas.b32
    atomic.min(l[0], i64(i));
    // CHECK: red.relaxed.gpu.global.min.s64
    atomic.sub(h[0], i16(i), order = release);
    // CHECK: atom.release.gpu.global.cas.b16
    atomic.exchange(f[2], v);
    // CHECK: atom.relaxed.gpu.global.exch.b32
    o[2] = atomic.compare_exchange(a[1], i, 3, order = acquire);
    // CHECK: atom.acquire.gpu.global.cas.b32
    atomic.dec(a[2], i);
    // CHECK: red.relaxed.gpu.global.dec.u32
    atomic.store(o[3], atomic.load(a[3], order = seq_cst), order = seq_cst);
    // CHECK: fence.sc.gpu; ld.acquire.gpu.global.b32
    // CHECK: fence.sc.gpu; st.relaxed.gpu.global.b32
    atomic.fence();
    // CHECK: fence.acq_rel.gpu;
}
