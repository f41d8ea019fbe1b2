// Functions of one f32: libdevice's on a GPU, the C library's or an instruction on the host.
// RUN: %ckc %s --emit=nvvm --target=sm_75 --backend=libnvvm | FileCheck %s
// RUN: %ckc %s --stop-after=gen --target=host | FileCheck %s --check-prefix=HOST
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx %}
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t.libnvvm %}
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
kernel k(v: f32, y: out f32[11])
{
    y[0] = sin(v); y[1] = cos(v); y[2] = tan(v); y[3] = asin(v); y[4] = acos(v);
    y[5] = atan(v); y[6] = sinh(v); y[7] = cosh(v); y[8] = tanh(v); y[9] = asinh(v);
    y[10] = acosh(v);
}
// CHECK-DAG: call float @__nv_sinf(
// CHECK-DAG: call float @__nv_cosf(
// CHECK-DAG: call float @__nv_tanf(
// CHECK-DAG: call float @__nv_asinf(
// CHECK-DAG: call float @__nv_acosf(
// CHECK-DAG: call float @__nv_atanf(
// CHECK-DAG: call float @__nv_sinhf(
// CHECK-DAG: call float @__nv_coshf(
// CHECK-DAG: call float @__nv_tanhf(
// CHECK-DAG: call float @__nv_asinhf(
// CHECK-DAG: call float @__nv_acoshf(
// HOST-DAG: call float @sinf(
// HOST-DAG: call float @cosf(
// HOST-DAG: call float @tanf(
// HOST-DAG: call float @asinf(
// HOST-DAG: call float @acosf(
// HOST-DAG: call float @atanf(
// HOST-DAG: call float @sinhf(
// HOST-DAG: call float @coshf(
// HOST-DAG: call float @tanhf(
// HOST-DAG: call float @asinhf(
// HOST-DAG: call float @acoshf(
