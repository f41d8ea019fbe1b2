// A box is loaded by cp.async.bulk.tensor of the parameter's own bytes, behind an mbarrier; sm_90.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t && FileCheck %s < %t && FileCheck --check-prefix=PARAM %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 -o %t.90 && FileCheck %s < %t.90 && FileCheck --check-prefix=PARAM %s < %t.90 %}
// RUN: %if nvvm %{ %if ptxas %{ %ptxas-verify < %t.90 %} %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_100 -o %t.100 && FileCheck %s < %t.100 %}
// RUN: %ckc %s --emit=host -o %t.host
// RUN: %ckc %s --emit=header --target=host | FileCheck --check-prefix=HEADER %s
// RUN: not %ckc %s --emit=ptx --target=sm_80 --backend=nvptx 2>&1 | FileCheck --check-prefix=OLD %s
kernel k(n: u32, m: tensor_map<2, f16>, y: out f16[1]) launch(block = 64, grid = 1)
{
    shared tile: f16[8, 64];
    block.load_tensor(tile, m, 8, n);
    if (thread.x == 0) y[0] = tile[n % 8, n % 64];
}
// CHECK: .param .align 128 .b8 k_param_1[128],
// CHECK: .shared .align 1024 .b8
// CHECK: mbarrier.init.shared::cta.b64 [%r{{[0-9]+}}], 1;
// CHECK: fence.proxy.async.shared::cta;
// CHECK: {{bar|barrier}}
// CHECK: mbarrier.arrive.expect_tx.shared::cta.b64
// PARAM: mov.u64 %rd{{[0-9]+}}, k_param_1;
// PARAM: cvta.param.u64
// CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK: mbarrier.try_wait.parity.shared::cta.b64
// CHECK: mbarrier.inval.shared::cta.b64
// HEADER: const ck_tensor_map_t * m,
// HEADER: args[1] = ck_arg_tensor_map(m);
// OLD: error: 'tensor_map<2,f16>' needs sm_90, the target is sm_80 [needs_sm]
