// memcpy_async is cp.async of 4, 8 or 16 bytes from sm_80 on, a load and a store on sm_75.
// RUN: %ckc %s --emit=ptx --target=sm_80 --backend=nvptx -o %t.80 && FileCheck %s < %t.80
// RUN: %if ptxas %{ %ptxas-verify < %t.80 %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 -o %t.90 && FileCheck %s < %t.90 %}
// RUN: %if nvvm %{ %if ptxas %{ %ptxas-verify < %t.90 %} %}
// RUN: %ckc %s --emit=ptx --target=sm_75 --backend=nvptx | FileCheck --check-prefix=OLD %s
kernel k(n: u32, x: in f32[n], v: in f32x2[n], y: out f32[n]) launch(block = 32, grid = 1)
{
    shared t: f32[256];
    shared u: f32x2[32];
    memcpy_async(t[thread.x], x[thread.x]);
    memcpy_async(u[thread.x], v[thread.x]);
    pipeline.commit();
    memcpy_async<4>(t[128 + 4 * thread.x], x[4 * thread.x], valid = n);
    pipeline.commit();
    pipeline.wait(prior = 1);
    pipeline.wait();
    block.sync();
    y[thread.x] = t[31 - thread.x] + u[31 - thread.x].x;
}
// CHECK: cp.async.ca.shared.global [%rd{{[0-9]+}}], [%rd{{[0-9]+}}], 4;
// CHECK: cp.async.ca.shared.global [%rd{{[0-9]+}}], [%rd{{[0-9]+}}], 8;
// CHECK: cp.async.commit_group;
// CHECK: cp.async.cg.shared.global [%rd{{[0-9]+}}], [%rd{{[0-9]+}}], 16, %r{{[0-9]+}};
// CHECK: cp.async.commit_group;
// CHECK: cp.async.wait_group 1;
// CHECK: cp.async.wait_all;
// CHECK: {{bar|barrier}}
// OLD-NOT: cp.async
// OLD: st.shared
// OLD: bar.sync
