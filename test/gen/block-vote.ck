// A vote of the block is the barrier that carries it, and no other stands beside it.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t.nvvm %}
// RUN: %if nvvm %{ FileCheck %s < %t.nvvm %}
// CHECK-LABEL: .entry k
// CHECK-NOT: bar.sync
// CHECK: bar.red.or.pred
// CHECK-NOT: bar.sync
// CHECK: bar.red.and.pred
// CHECK-NOT: bar.sync
// CHECK: bar.red.popc.u32
// CHECK-NOT: bar.sync
// CHECK: ret
kernel k(x: in u32[64], y: out u32[64]) launch(block = 64, grid = 1)
{
    let i = thread.rank;
    var n = u32(block.any(x[i] > 1)) + u32(block.all(x[i] > 2));
    y[i] = n + block.count(x[i] > 3);
}
