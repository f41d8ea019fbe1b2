// Bit operations are a GPU's instructions.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas-verify < %t.ptx %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_75 --backend=libnvvm -o %t.nvvm.ptx %}
// RUN: %if nvvm %{ FileCheck %s < %t.nvvm.ptx %}
// RUN: %if ptxas %{ %ptxas-verify < %t.nvvm.ptx %}
kernel k(a: u32, b: u32, n: u32, w: u64, y: out u32[9], z: out u64[2])
{
    y[0] = popcount(a);
    y[1] = clz(a);
    y[2] = brev(a);
    y[3] = funnel_left(a, b, n);
    y[4] = byte_perm(a, b, n);
    y[5] = dp4a(a, b, n);
    y[6] = funnel_right(a, b, n);
    y[7] = mul_hi(a, b);
    z[0] = mul_hi(w, w + 1);
}
// CHECK-LABEL: .entry k
// CHECK-DAG: popc.b32
// CHECK-DAG: clz.b32
// CHECK-DAG: brev.b32
// CHECK-DAG: shf.l.wrap.b32
// CHECK-DAG: prmt.b32
// CHECK-DAG: dp4a.u32.u32
// CHECK-DAG: shf.r.wrap.b32
// CHECK-DAG: mul{{.*}}
// CHECK-DAG: mul.hi.u64
