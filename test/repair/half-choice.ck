// A choice of halves that are added before and behind it is made by bits: ptxas pairs the two sums.
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas-verify < %t.ptx %}
// RUN: %if nvvm %{ %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o %t.libnvvm %}
// RUN: %if nvvm %{ FileCheck %s < %t.libnvvm %}
// RUN: %ckc %s --no-repair=half_choice --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s --check-prefix=WITHOUT
// RUN: %if sass %{ %ckc %s --no-repair=half_choice --emit=ptx --target=sm_90 --backend=nvptx -o - | %sass | FileCheck %s --check-prefix=WRONG %}
kernel one(x: in bf16[32], z: in bf16[32], y: out bf16[32], b: bf16, c: bool) launch(block = 32, grid = 1)
{
    let t = thread.rank;
    let v = x[t];
    let w = z[t];
    y[t] = (v - b) * ((c ? v : w) - b);
}
// CHECK-LABEL: .entry one(
// CHECK: { .reg .b16 mask, both; selp.b16 mask, -1, 0, %p[[P:[0-9]+]]; xor.b16 both, [[V:%rs[0-9]+]], [[W:%rs[0-9]+]]; and.b16 both, both, mask; xor.b16 %rs{{[0-9]+}}, both, [[W]]; }
// CHECK-NOT: selp
kernel word(x: in f16x2[32], z: in f16x2[32], y: out f16[32], b: f16, c: bool) launch(block = 32, grid = 1)
{
    let t = thread.rank;
    let v = x[t];
    let w = z[t];
    let chosen = bit_cast<f16x2>(c ? bit_cast<u32>(v) : bit_cast<u32>(w));
    y[t] = (v[0] - b) * (chosen[0] - b) * w[1];
}
// CHECK-LABEL: .entry word(
// CHECK: { .reg .b32 mask, both; selp.b32 mask, -1, 0, %p{{[0-9]+}}; xor.b32 both,
// CHECK-NOT: selp
kernel apart(x: in f16[32], y: out f16[32], c: bool) launch(block = 32, grid = 1)
{
    let v = x[thread.rank];
    y[thread.rank] = c ? v : 3.0f16;
}
// CHECK-LABEL: .entry apart(
// CHECK-NOT: mask
// WITHOUT: selp.b16
// One difference is taken twice.
// WRONG:      HADD2.BF16_V2 [[R:R[0-9]+]], [[R]].H0_H0, -UR
// WRONG-NEXT: HMUL2.BF16_V2 {{.*}}, [[R]].H0_H0, [[R]].H1_H1
