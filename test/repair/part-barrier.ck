// Behind a shuffle of parts of a warp, ptxas may have a bar.sync twice: barrier.sync it has once.
// part-barrier-code.ck shows the machine code.
// REQUIRES: nvvm
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o %t.libnvvm
// RUN: FileCheck %s --check-prefix=CHECK < %t.libnvvm
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s --check-prefix=CHECK < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
// RUN: %ckc %s --no-repair=part_barrier --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s --check-prefix=WITHOUT
kernel parts(x: in u32[64], y: out u32[64]) launch(block = 64)
{
    shared all: u32[64];
    all[thread.rank] = warp.tile<8>.shuffle_xor(x[thread.rank], 1);
    block.sync();
    y[thread.rank] = all[63 - thread.rank];
}
// CHECK-LABEL: .entry parts(
// CHECK:       shfl.sync
// CHECK:       {{[^.]}}barrier.sync {{.*}}0;
kernel whole(x: in u32[64], y: out u32[64]) launch(block = 64)
{
    shared all: u32[64];
    all[thread.rank] = warp.shuffle_xor(x[thread.rank], 1);
    block.sync();
    y[thread.rank] = all[63 - thread.rank];
}
// CHECK-LABEL: .entry whole(
// CHECK:       shfl.sync
// CHECK:       {{[^.]}}bar.sync {{.*}}0;
// WITHOUT-NOT: barrier.sync
