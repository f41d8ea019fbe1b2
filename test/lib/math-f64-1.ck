// Functions of one f64: libdevice's on a GPU, the C library's or an instruction on the host.
// RUN: %ckc %s --emit=nvvm --target=sm_75 --backend=libnvvm | FileCheck %s
// RUN: %ckc %s --stop-after=gen --target=host | FileCheck %s --check-prefix=HOST
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx %}
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t.libnvvm %}
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
kernel k(v: f64, y: out f64[11])
{
    y[0] = sin(v); y[1] = cos(v); y[2] = tan(v); y[3] = asin(v); y[4] = acos(v);
    y[5] = atan(v); y[6] = sinh(v); y[7] = cosh(v); y[8] = tanh(v); y[9] = asinh(v);
    y[10] = acosh(v);
}
// CHECK-DAG: call double @__nv_sin(
// CHECK-DAG: call double @__nv_cos(
// CHECK-DAG: call double @__nv_tan(
// CHECK-DAG: call double @__nv_asin(
// CHECK-DAG: call double @__nv_acos(
// CHECK-DAG: call double @__nv_atan(
// CHECK-DAG: call double @__nv_sinh(
// CHECK-DAG: call double @__nv_cosh(
// CHECK-DAG: call double @__nv_tanh(
// CHECK-DAG: call double @__nv_asinh(
// CHECK-DAG: call double @__nv_acosh(
// HOST-DAG: call double @sin(
// HOST-DAG: call double @cos(
// HOST-DAG: call double @tan(
// HOST-DAG: call double @asin(
// HOST-DAG: call double @acos(
// HOST-DAG: call double @atan(
// HOST-DAG: call double @sinh(
// HOST-DAG: call x86_fp80 @coshl(
// HOST-DAG: call x86_fp80 @tanhl(
// HOST-DAG: call double @asinh(
// HOST-DAG: call double @acosh(
