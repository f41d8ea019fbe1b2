// Checked builds are made through both back ends: tests of indices, of 32 and 64-bit sums.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -check -lineinfo -o %t.libnvvm
// RUN: FileCheck %s < %t.libnvvm
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -check -lineinfo -o %t.nvptx
// RUN: FileCheck %s < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
// RUN: %ckc %s --emit=ptx --target=sm_120 --backend=libnvvm -check -o %t.120
// RUN: %if ptxas %{ %ptxas-verify < %t.120 %}
kernel k(n: u64, h: u32, w: u32, x: in f32[h, w], y: out f32[n])
{
  shared tile: f32[16, 17];
  let i = grid.thread_rank;
  tile[thread.y, thread.x] = x[thread.y + 1, thread.x * w];
  block.sync();
  y[i * n + 1] = tile[thread.x, thread.y];
}
// CHECK: vprintf
// CHECK: __assertfail
