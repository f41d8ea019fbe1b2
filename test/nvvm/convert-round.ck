// Conversions that name a rounding are one cvt; bf16 is made by hand.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t.libnvvm
// RUN: FileCheck %s < %t.libnvvm
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
kernel k(x: in f64[8], y: in i64[8], a: out i32[8], b: out f32[8], c: out f16[8])
{
    a[0] = i32(f32(x[0], round = down), round = nearest);
    b[0] = f32(y[0], round = up);
    c[0] = f16(f32(y[0]), round = zero);
}
// CHECK-DAG: cvt.rm.f32.f64
// CHECK-DAG: cvt.rni.s32.f32
// CHECK-DAG: cvt.rp.f32.s64
// CHECK-DAG: cvt.rz.f16.f32
