// Functions of one f64: libdevice's on a GPU, the C library's or an instruction on the host.
// RUN: %ckc %s --emit=nvvm --target=sm_75 --backend=libnvvm | FileCheck %s
// RUN: %ckc %s --stop-after=gen --target=host | FileCheck %s --check-prefix=HOST
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx %}
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t.libnvvm %}
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
kernel k(v: f64, y: out f64[11])
{
    y[0] = atanh(v); y[1] = exp(v); y[2] = exp2(v); y[3] = exp10(v); y[4] = expm1(v);
    y[5] = log(v); y[6] = log2(v); y[7] = log10(v); y[8] = log1p(v); y[9] = sqrt(v);
    y[10] = rsqrt(v);
}
// CHECK-DAG: call double @__nv_atanh(
// CHECK-DAG: call double @__nv_exp(
// CHECK-DAG: call double @__nv_exp2(
// CHECK-DAG: call double @__nv_exp10(
// CHECK-DAG: call double @__nv_expm1(
// CHECK-DAG: call double @__nv_log(
// CHECK-DAG: call double @__nv_log2(
// CHECK-DAG: call double @__nv_log10(
// CHECK-DAG: call double @__nv_log1p(
// CHECK-DAG: call double @llvm.sqrt.f64(
// CHECK-DAG: call double @__nv_rsqrt(
// HOST-DAG: call double @atanh(
// HOST-DAG: call double @exp(
// HOST-DAG: call double @exp2(
// HOST-DAG: call x86_fp80 @exp10l(
// HOST-DAG: call double @expm1(
// HOST-DAG: call double @log(
// HOST-DAG: call double @log2(
// HOST-DAG: call x86_fp80 @log10l(
// HOST-DAG: call double @log1p(
// HOST-DAG: call double @llvm.sqrt.f64(
