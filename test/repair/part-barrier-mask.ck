// A mask in a register is the whole warp if the register is -1; inline PTX shuffles parts of a warp, too.
// REQUIRES: nvvm
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o %t.libnvvm
// RUN: FileCheck %s < %t.libnvvm
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
// RUN: %ckc %s --no-repair=part_barrier --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s --check-prefix=WITHOUT
kernel whole_sum(x: in u32[64], y: out u32[64]) launch(block = 64)
{
    shared all: u32[64];
    all[thread.rank] = warp.sum(x[thread.rank]);
    block.sync();
    y[thread.rank] = all[63 - thread.rank];
}
// CHECK-LABEL: .entry whole_sum(
// CHECK:       redux.sync.add.u32 {{.*}}%r
// CHECK:       {{[^.]}}bar.sync {{.*}}0;
kernel part_scan(x: in u32[64], y: out u32[64]) launch(block = 64)
{
    shared all: u32[64];
    all[thread.rank] = warp.tile<8>.inclusive_scan(x[thread.rank], +);
    block.sync();
    y[thread.rank] = all[63 - thread.rank];
}
// CHECK-LABEL: .entry part_scan(
// CHECK:       {{{.*}}shfl.sync.up.b32 r|p
// CHECK:       {{[^.]}}barrier.sync {{.*}}0;
// WITHOUT-NOT: barrier.sync
