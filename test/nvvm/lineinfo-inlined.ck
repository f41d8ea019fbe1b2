// Lines of functions that were taken in carry their calls, those of the library too.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -lineinfo -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -lineinfo -o %t.nvptx
// RUN: FileCheck %s --check-prefix=NVPTX < %t.nvptx
fn twice(v: f32) = v * 2;
fn clipped(v: f32) -> f32 {
  if (v > 4)
    return 4;
  return twice(v);
}
kernel k(n: u64, y: inout f32[n])
{
  let i = grid.thread_rank;
  if (i < n)
    y[i] = clipped(y[i]);
}
// CHECK:     .loc [[LIB:[0-9]+]] {{[0-9]+ [0-9]+}}, function_name {{.*}}, inlined_at 1 16 11
// CHECK:     .loc 1 8 20, function_name {{.*}}, inlined_at 1 12 10
// CHECK:     .file 1 "{{/.*}}lineinfo-inlined.ck"
// CHECK:     .file [[LIB]] "/lib/core.ck"
// NVPTX:     .loc 1 16
// NVPTX-NOT: core.ck
