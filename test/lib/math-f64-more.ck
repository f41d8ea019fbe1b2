// Functions of several f64.
// RUN: %ckc %s --emit=nvvm --target=sm_75 --backend=libnvvm | FileCheck %s
// RUN: %ckc %s --stop-after=gen --target=host | FileCheck %s --check-prefix=HOST
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx %}
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t.libnvvm %}
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
kernel k(v: f64, y: out f64[6])
{
    y[0] = pow(v, v); y[1] = atan2(v, v); y[2] = hypot(v, v); y[3] = fmod(v, v);
    y[4] = copysign(v, v); y[5] = fma(v, v, v);
}
// CHECK-DAG: call double @__nv_pow(
// CHECK-DAG: call double @__nv_atan2(
// CHECK-DAG: call double @__nv_hypot(
// CHECK-DAG: call double @__nv_fmod(
// CHECK-DAG: call double @llvm.copysign.f64(
// CHECK-DAG: call double @llvm.fma.f64(
// HOST-DAG: call double @pow(
// HOST-DAG: call double @atan2(
// HOST-DAG: call double @hypot(
// HOST-DAG: call double @fmod(
// HOST-DAG: call double @llvm.copysign.f64(
// HOST-DAG: call double @llvm.fma.f64(
