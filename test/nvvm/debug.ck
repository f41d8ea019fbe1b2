// -g makes a debug build through both back ends: variables in local memory, shared ones in class 8.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -g -o %t.libnvvm
// RUN: FileCheck %s < %t.libnvvm
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -g -o %t.nvptx
// RUN: FileCheck %s < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
// RUN: %ckc %s --emit=ptx --target=sm_120 --backend=libnvvm -g -o %t.120
// RUN: %if ptxas %{ %ptxas-verify < %t.120 %}
fn twice(v: f32) = v * 2;
kernel k(n: u64, x: in f32[n], y: out f32[n])
{
  shared tile: f32[64];
  let i = grid.thread_rank;
  for (j in 0u64..2) {
    tile[thread.x] = twice(x[i + j]);
    block.sync();
    y[i] = tile[0];
  }
}
// CHECK: .target sm_90, debug
// CHECK: .loc 1 17
// CHECK: .file 1 "{{.*}}debug.ck"
// CHECK: .section .debug_info
