// Updates of halves and vectors are one instruction each from sm_90 on, in global memory.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.p && FileCheck %s < %t.p
// RUN: %if ptxas %{ %ptxas-verify < %t.p %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 -o %t.n && FileCheck %s < %t.n %}
// RUN: %if nvvm %{ %if ptxas %{ %ptxas-verify < %t.n %} %}
// RUN: %ckc %s --emit=ptx --target=sm_80 --backend=nvptx -o %t.o && FileCheck --check-prefix=OLD %s < %t.o
// RUN: %if ptxas %{ %ptxas-verify < %t.o %}
kernel k(h: inout f16[1], b: inout bf16x2[1], f2: inout f32x2[1], f4: inout f32x4[1], b8: inout bf16x8[1], y: out f32x4[1])
{
    atomic.add(h[0], 1);
    atomic.add(b[0], bf16x2(1));
    atomic.add(f2[0], f32x2(1));
    y[0] = atomic.add(f4[0], f32x4(1), order = acquire, scope = block);
    atomic.add(b8[0], bf16x8(1), order = release);
    shared s: f32x2[1];
    atomic.add(s[0], f32x2(1));
    store(f4[0], load(f4[0], cache = streaming), cache = streaming);
}
// CHECK: red.relaxed.gpu.global.add.noftz.f16 [
// CHECK: red.relaxed.gpu.global.add.noftz.bf16x2 [
// CHECK: red.relaxed.gpu.global.add.v2.f32 [
// CHECK: atom.acquire.cta.global.add.v4.f32 {
// CHECK: red.release.gpu.global.add.noftz.v4.bf16x2 [
// CHECK-COUNT-2: red.relaxed.gpu.shared.add.f32 [
// CHECK: ld.global.cs.v4.b32 {
// CHECK: st.global.cs.v4.b32 [
// OLD: red.relaxed.gpu.global.add.noftz.f16 [
// OLD: atom.relaxed.gpu.global.cas.b32
// OLD-COUNT-2: red.relaxed.gpu.global.add.f32 [
// OLD-COUNT-4: atom.acquire.cta.global.add.f32
