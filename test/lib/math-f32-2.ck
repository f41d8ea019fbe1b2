// Functions of one f32: libdevice's on a GPU, the C library's or an instruction on the host.
// RUN: %ckc %s --emit=nvvm --target=sm_75 --backend=libnvvm | FileCheck %s
// RUN: %ckc %s --stop-after=gen --target=host | FileCheck %s --check-prefix=HOST
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx %}
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t.libnvvm %}
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
kernel k(v: f32, y: out f32[11])
{
    y[0] = atanh(v); y[1] = exp(v); y[2] = exp2(v); y[3] = exp10(v); y[4] = expm1(v);
    y[5] = log(v); y[6] = log2(v); y[7] = log10(v); y[8] = log1p(v); y[9] = sqrt(v);
    y[10] = rsqrt(v);
}
// CHECK-DAG: call float @__nv_atanhf(
// CHECK-DAG: call float @__nv_expf(
// CHECK-DAG: call float @__nv_exp2f(
// CHECK-DAG: call float @__nv_exp10f(
// CHECK-DAG: call float @__nv_expm1f(
// CHECK-DAG: call float @__nv_logf(
// CHECK-DAG: call float @__nv_log2f(
// CHECK-DAG: call float @__nv_log10f(
// CHECK-DAG: call float @__nv_log1pf(
// CHECK-DAG: call float @llvm.sqrt.f32(
// CHECK-DAG: call float @__nv_rsqrtf(
// HOST-DAG: call float @atanhf(
// HOST-DAG: call float @expf(
// HOST-DAG: call float @exp2f(
// HOST-DAG: call float @exp10f(
// HOST-DAG: call float @expm1f(
// HOST-DAG: call float @logf(
// HOST-DAG: call float @log2f(
// HOST-DAG: call float @log10f(
// HOST-DAG: call float @log1pf(
// HOST-DAG: call float @llvm.sqrt.f32(
