// Functions of one f64: libdevice's on a GPU, the C library's or an instruction on the host.
// RUN: %ckc %s --emit=nvvm --target=sm_75 --backend=libnvvm | FileCheck %s
// RUN: %ckc %s --stop-after=gen --target=host | FileCheck %s --check-prefix=HOST
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx %}
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t.libnvvm %}
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
kernel k(v: f64, y: out f64[10])
{
    y[0] = cbrt(v); y[1] = floor(v); y[2] = ceil(v); y[3] = trunc(v); y[4] = rint(v);
    y[5] = round(v); y[6] = erf(v); y[7] = erfc(v); y[8] = tgamma(v); y[9] = lgamma(v);
}
// CHECK-DAG: call double @__nv_cbrt(
// CHECK-DAG: call double @llvm.floor.f64(
// CHECK-DAG: call double @llvm.ceil.f64(
// CHECK-DAG: call double @llvm.nvvm.trunc.d(
// CHECK-DAG: call double @llvm.nvvm.round.d(
// CHECK-DAG: call double @__nv_round(
// CHECK-DAG: call double @__nv_erf(
// CHECK-DAG: call double @__nv_erfc(
// CHECK-DAG: call double @__nv_tgamma(
// CHECK-DAG: call double @__nv_lgamma(
// HOST-DAG: call x86_fp80 @cbrtl(
// HOST-DAG: call double @llvm.floor.f64(
// HOST-DAG: call double @llvm.ceil.f64(
// HOST-DAG: call double @llvm.trunc.f64(
// HOST-DAG: call double @llvm.rint.f64(
// HOST-DAG: call double @round(
// HOST-DAG: call double @erf(
// HOST-DAG: call double @erfc(
// HOST-DAG: call double @tgamma(
// HOST-DAG: call double @lgamma(
