// A copy with a barrier is cp.async.bulk from sm_90 on, and cp.async before; its wait is the barrier's.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.90 && FileCheck %s < %t.90
// RUN: %if ptxas %{ %ptxas-verify < %t.90 %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_100 -o %t.100 && FileCheck %s < %t.100 %}
// RUN: %if nvvm %{ %if ptxas %{ %ptxas-verify < %t.100 %} %}
// RUN: %ckc %s --emit=ptx --target=sm_80 --backend=nvptx | FileCheck --check-prefix=OLD %s
kernel k(x: in f32[256], y: out f32[256]) launch(block = 64, grid = 1)
{
    shared t: f32[256];
    shared bar: barrier;
    block.init(address(bar));
    block.memcpy_async(t, x, 0, 256, address(bar));
    block.wait(address(bar));
    for (i in block.stride(256u32)) y[i] = t[255 - i];
}
// CHECK: mbarrier.init.shared::cta.b64
// CHECK: fence.proxy.async.shared::cta;
// CHECK: bar
// CHECK: mbarrier.arrive.expect_tx.shared::cta.b64
// CHECK-DAG: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
// CHECK-DAG: mbarrier.try_wait.parity.shared::cta.b64
// OLD-NOT: mbarrier
// OLD: cp.async.cg.shared.global
// OLD: cp.async.wait_all
