// A minimum of 16 bits is taken in 32: ptxas makes one predicate of two where it is compared with a constant.
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas-verify < %t.ptx %}
// RUN: %if nvvm %{ %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o %t.libnvvm %}
// RUN: %if nvvm %{ FileCheck %s < %t.libnvvm %}
// RUN: %ckc %s --no-repair=short_min --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s --check-prefix=WITHOUT
// RUN: %if sass %{ %ckc %S/../run/byte-of-word.ck --no-repair=short_min --emit=ptx --target=sm_90 --backend=nvptx -o - | %sass | FileCheck %s --check-prefix=WRONG %}
kernel k(a: in u16[32], b: in i16[32], y: out u16[32], z: out i16[32]) launch(block = 32, grid = 1)
{
    let t = thread.rank;
    y[t] = min(a[t], 40000u16);
    z[t] = max(b[t], i16(-5));
}

kernel pairs(a: in u16[64], y: out u16[64]) launch(block = 32, grid = 1)
{
    y.store(2 * thread.rank, min(a.load<2>(2 * thread.rank), u16x2(2, 3)));
}
// CHECK-NOT: min.u16
// CHECK-NOT: max.s16
// CHECK-DAG: cvt.u32.u16 wide, %rs{{[0-9]+}}; mov.b32 other, 40000; min.u32 wide, wide, other;
// CHECK-DAG: cvt.s32.s16 wide, %rs{{[0-9]+}}; mov.b32 other, -5; max.s32 wide, wide, other;
// WITHOUT: min.u16
// One predicate has two results: which of the lower halves is less, and which of the upper ones.
// WRONG-LABEL: .text.clamped:
// WRONG:       VIMNMX.U16x2 {{R[0-9]+}}, [[P:P[0-9]]], [[P]],
