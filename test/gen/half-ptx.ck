// f16 arithmetic is native; bf16 is too on sm_90, by fma on sm_80, and by f32 before.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.ptx
// RUN: FileCheck %s --check-prefixes=CHECK,SM90 < %t.ptx
// RUN: %if ptxas %{ %ptxas-verify < %t.ptx %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t.nvvm.ptx %}
// RUN: %if nvvm %{ FileCheck %s --check-prefixes=CHECK,SM90 < %t.nvvm.ptx %}
// RUN: %if ptxas %{ %ptxas-verify < %t.nvvm.ptx %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_80 --backend=libnvvm -o %t.80.ptx %}
// RUN: %if nvvm %{ FileCheck %s --check-prefixes=CHECK,SM80 < %t.80.ptx %}
// RUN: %if ptxas %{ %ptxas-verify < %t.80.ptx %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_75 --backend=libnvvm -o %t.75.ptx %}
// RUN: %if nvvm %{ FileCheck %s --check-prefixes=CHECK,SM75 < %t.75.ptx %}
// RUN: %if ptxas %{ %ptxas-verify < %t.75.ptx %}
kernel k(a: in f16[2], d: f64, b: in bf16[2], x: out f16[4], y: out bf16[2])
{
    x[0] = a[0] + a[1];
    x[1] = fma(a[0], a[0], a[1]);
    x[2] = f16(d);
    y[0] = b[0] * b[1];
    y[1] = b[0] - b[1];
}
// CHECK-LABEL: .entry k
// CHECK-DAG:   add{{(\.rn)?}}.f16
// CHECK-DAG:   fma.rn.f16
// CHECK-DAG:   cvt.rn.f16.f64
// SM90-DAG:    mul.rn.bf16
// SM90-DAG:    sub.rn.bf16
// SM80-DAG:    fma.rn.bf16
// SM75-DAG:    mul{{(\.rn)?}}.f32
// SM75-NOT:    .bf16
