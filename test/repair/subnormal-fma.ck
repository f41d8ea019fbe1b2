// A subnormal constant is hidden from libNVVM, whose fma of constants is wrong where the addend is subnormal.
// RUN: %ckc %s %repair --emit=nvvm --target=sm_90 --backend=libnvvm | FileCheck %s
// RUN: %if nvvm %{ %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o %t %}
// RUN: %if nvvm %{ FileCheck %s --check-prefix=PTX < %t %}
// RUN: %if nvvm && ptxas %{ %ptxas-verify < %t %}
// RUN: %if nvvm %{ %ckc %s --no-repair=subnormal_fma --emit=ptx --target=sm_90 --backend=libnvvm -o - | FileCheck %s --check-prefix=WITHOUT %}
fn fused<T: float>(x: T, y: T, z: T) -> T = fma(x, y, z);
kernel k(x: out f16[1], y: out f32[1], z: out f64[1]) launch(block = 1, grid = 1)
{
    x[0] = fused(0.25f16, -0x1.00cp-13f16, 0x3p-24f16);
    y[0] = fused(0.25f32, -0x1.000006p-125f32, 0x3p-149f32);
    z[0] = fused(0x1.0000000000001p-45f64, 0x1.e4328b0e0fc1ap-1022f64, -0x1p-1073f64);
}
// CHECK-DAG: mov.b16 $0, 0x3;
// CHECK-DAG: mov.b32 $0, 0x3;
// CHECK-DAG: mov.b64 $0, 0x8000000000000002;
// PTX-DAG: fma.rn.f16
// PTX-DAG: fma.rn.f32
// PTX-DAG: fma.rn.f64
// Infinity.
// WITHOUT: mov.b16 %h1, 0x7C00;
