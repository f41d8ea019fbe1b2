// A constant array lies in constant memory where its index is not known, and is no memory where it is.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.p && FileCheck %s < %t.p
// RUN: %if ptxas %{ %ptxas-verify < %t.p %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_75 -o %t.n && FileCheck %s < %t.n %}
// RUN: %if nvvm %{ %if ptxas %{ %ptxas-verify < %t.n %} %}
const weights: f32[4] = [1, 2, 4, 8];
const big: u32[3] = [7, 70, 700];
kernel k(n: u32, y: out f32[4], z: out u32[1])
{
    y[thread.x] = weights[n % 4];
    z[0] = big[1];
}
// CHECK-NOT: 700
// CHECK: .const .align 16 .{{f32|b8}} ck_{{.*}}const
// CHECK-NOT: 700
// CHECK: ld.const.f32
// CHECK: 70;
