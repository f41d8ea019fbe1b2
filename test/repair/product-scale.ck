// A product that is multiplied by what ptxas may scale a product by is rounded on its own.
// REQUIRES: nvvm
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %ckc %s --no-repair=product_scale --emit=ptx --target=sm_90 --backend=libnvvm -o - | FileCheck %s --check-prefix=WITHOUT
// RUN: %if sass %{ %ckc %S/../run/product-scaled.ck --no-repair=product_scale --emit=ptx --target=sm_90 --backend=libnvvm -o - | %sass | FileCheck %s --check-prefix=WRONG %}
kernel k(x: in f32[32], y: in f32[32], z: out f32[128]) launch(block = 32, grid = 1)
{
    let t = thread.rank;
    z[t] = x[t] * y[t] / 2;
    z[t + 32] = 8 * (x[t] * x[t]);
    z[t + 64] = y[t] * y[t] * 3;
}
// CHECK-DAG: mul.rn.f32 %[[A:f[0-9]+]], %[[X:f[0-9]+]], %[[Y:f[0-9]+]];
// CHECK-DAG: mul.f32 %f{{[0-9]+}}, %[[A]], 0f3F000000;
// CHECK-DAG: mul.rn.f32 %[[B:f[0-9]+]], %[[X]], %[[X]];
// CHECK-DAG: mul.f32 %f{{[0-9]+}}, %[[B]], 0f41000000;
// CHECK-DAG: mul.f32 %[[C:f[0-9]+]], %[[Y]], %[[Y]];
// CHECK-DAG: mul.f32 %f{{[0-9]+}}, %[[C]], 0f40400000;
// WITHOUT-NOT: mul.rn.f32
// One product, rounded once.
// WRONG: FMUL.D2
// WRONG: FMUL.M4
