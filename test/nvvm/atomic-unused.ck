// An update whose value nobody takes is `red`, unless it acquires.
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 -o %t.1 %}
// RUN: %if nvvm %{ FileCheck %s < %t.1 %}
// RUN: %if ptxas %{ %if nvvm %{ %ptxas-verify < %t.1 %} %}
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.2
// RUN: FileCheck %s < %t.2
// RUN: %if ptxas %{ %ptxas-verify < %t.2 %}
kernel k(i: u32, a: inout u32[8], f: inout f32[8], o: out u32[1])
{
    shared s: u32[32];
    atomic.add(s[i], 1, scope = block);
    // CHECK: red.relaxed.cta.shared.add.u32 [{{.*}}], {{.*}};
    atomic.sub(f[i], 1, order = release);
    // CHECK: red.release.gpu.global.add.f32
    atomic.max(a[i], 2, order = acquire);
    // CHECK: atom.acquire.gpu.global.max.u32
    let before = atomic.xor(a[i], 3);
    // CHECK: atom.relaxed.gpu.global.xor.b32
    o[0] = before;
}
