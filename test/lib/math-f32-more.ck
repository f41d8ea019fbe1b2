// Functions of several f32.
// RUN: %ckc %s --emit=nvvm --target=sm_75 --backend=libnvvm | FileCheck %s
// RUN: %ckc %s --stop-after=gen --target=host | FileCheck %s --check-prefix=HOST
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx %}
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t.libnvvm %}
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
kernel k(v: f32, y: out f32[6])
{
    y[0] = pow(v, v); y[1] = atan2(v, v); y[2] = hypot(v, v); y[3] = fmod(v, v);
    y[4] = copysign(v, v); y[5] = fma(v, v, v);
}
// CHECK-DAG: call float @__nv_powf(
// CHECK-DAG: call float @__nv_atan2f(
// CHECK-DAG: call float @__nv_hypotf(
// CHECK-DAG: call float @__nv_fmodf(
// CHECK-DAG: call float @llvm.copysign.f32(
// CHECK-DAG: call float @llvm.fma.f32(
// HOST-DAG: call float @powf(
// HOST-DAG: call float @atan2f(
// HOST-DAG: call float @hypotf(
// HOST-DAG: call float @fmodf(
// HOST-DAG: call float @llvm.copysign.f32(
// HOST-DAG: call float @llvm.fma.f32(
