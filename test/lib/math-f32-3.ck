// Functions of one f32: libdevice's on a GPU, the C library's or an instruction on the host.
// RUN: %ckc %s --emit=nvvm --target=sm_75 --backend=libnvvm | FileCheck %s
// RUN: %ckc %s --stop-after=gen --target=host | FileCheck %s --check-prefix=HOST
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx %}
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t.libnvvm %}
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
kernel k(v: f32, y: out f32[10])
{
    y[0] = cbrt(v); y[1] = floor(v); y[2] = ceil(v); y[3] = trunc(v); y[4] = rint(v);
    y[5] = round(v); y[6] = erf(v); y[7] = erfc(v); y[8] = tgamma(v); y[9] = lgamma(v);
}
// CHECK-DAG: call float @__nv_cbrtf(
// CHECK-DAG: call float @llvm.floor.f32(
// CHECK-DAG: call float @llvm.ceil.f32(
// CHECK-DAG: call float @llvm.nvvm.trunc.f(
// CHECK-DAG: call float @llvm.nvvm.round.f(
// CHECK-DAG: call float @__nv_roundf(
// CHECK-DAG: call float @__nv_erff(
// CHECK-DAG: call float @__nv_erfcf(
// CHECK-DAG: call float @__nv_tgammaf(
// CHECK-DAG: call float @__nv_lgammaf(
// HOST-DAG: call float @cbrtf(
// HOST-DAG: call float @llvm.floor.f32(
// HOST-DAG: call float @llvm.ceil.f32(
// HOST-DAG: call float @llvm.trunc.f32(
// HOST-DAG: call float @llvm.rint.f32(
// HOST-DAG: call float @roundf(
// HOST-DAG: call float @erff(
// HOST-DAG: call float @erfcf(
// HOST-DAG: call double @tgamma(
// HOST-DAG: call float @lgammaf(
