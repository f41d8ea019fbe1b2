// Textures are PTX's tex, for all targets the same; surfaces suld and sust, with x in bytes.
// RUN: %ckc %s --emit=ptx --target=sm_75 --backend=nvptx -o %t && FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 -o %t.90 && FileCheck %s < %t.90 %}
// RUN: %if nvvm %{ %if ptxas %{ %ptxas-verify < %t.90 %} %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_120 -o %t.120 && FileCheck %s < %t.120 %}
// RUN: %ckc %s --emit=host -o %t.host
kernel read(n: u32, t: texture<2, f32x4>, u: texture<3, u8>, a: texture_array<2, i16x2>, y: out f32x4[n], z: out u8[n], w: out i16x2[n])
{
    let i = u32(grid.thread_rank);
    y[i] = t.sample(1.5, 2) + t.lod(f32(i), 2, 3);
    z[i] = u.sample(1, 2, 3) + u.fetch(i, 1, 2);
    w[i] = a.sample(1, 2, i) + a.fetch(1, 2, i);
}
// CHECK-LABEL: .entry read
// CHECK-DAG: tex.2d.v4.u32.f32 {{{.*}}}, [%rd{{[0-9]+}}, {%{{f|r}}{{[0-9]+}}, %{{f|r}}{{[0-9]+}}}];
// CHECK-DAG: tex.level.2d.v4.u32.f32
// CHECK-DAG: tex.3d.v4.u32.f32
// CHECK-DAG: tex.3d.v4.u32.s32
// CHECK-DAG: tex.a2d.v4.u32.s32
kernel write(s: surface<2, u8>, t: surface<1, f16x2>, u: surface<3, f32x2>, a: surface_array<2, i32x4>)
{
    let i = thread.x;
    s.store(i, 1, s.load(i, 0) + 1);
    t.store(i, t.load(i + 1));
    u.store(i, 1, 2, u.load(i, 1, 1));
    a.store(i, 1, 2, a.load(i, 1, 1));
}
// CHECK-LABEL: .entry write
// CHECK: suld.b.2d.b8.trap
// CHECK: sust.b.2d.b8.trap
// CHECK: suld.b.1d.b32.trap
// CHECK: sust.b.1d.b32.trap
// CHECK: suld.b.3d.v2.b32.trap
// CHECK: sust.b.3d.v2.b32.trap
// CHECK: suld.b.a2d.v4.b32.trap
// CHECK: sust.b.a2d.v4.b32.trap
