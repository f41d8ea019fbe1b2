// Vectors are read and written 16 bytes at a time; pairs of f16 and bf16 take one instruction.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas-verify < %t.ptx %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t.nvvm.ptx %}
// RUN: %if nvvm %{ FileCheck %s < %t.nvvm.ptx %}
// RUN: %if ptxas %{ %ptxas-verify < %t.nvvm.ptx %}
kernel k(n: u32, x: in f32[n], y: out f32x4[n / 4], u: inout u8x16[n], h: inout f16x8[n])
{
    let i = thread.x;
    y[i] = x.load<4>(4 * i) + 1;
    u[i] = u[i] ^ 255;
    h[i] = h[i] + h[i].x;
}
// CHECK-LABEL: .entry k
// CHECK:       ld.global.nc.v4.f32
// CHECK:       st.global.v4.f32
// CHECK:       ld.global.v4.{{u|b}}32
// CHECK:       st.global.v4.{{u|b}}32
// CHECK:       ld.global.v4.{{u|b}}32
// CHECK:       add{{(.rn)?}}.f16x2
kernel b(p: inout bf16x8[1]) { p[0] = p[0] * p[0]; }
// CHECK-LABEL: .entry b
// CHECK:       mul.rn.bf16x2
