// -lineinfo gives .loc for each line, and no debug build.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -lineinfo -o %t.libnvvm
// RUN: FileCheck %s --check-prefix=CHECK < %t.libnvvm
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -lineinfo -o %t.nvptx
// RUN: FileCheck %s --check-prefix=CHECK < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
kernel k(y: out u32[1])
{
  y[0] = 1;
}
// CHECK:      .loc{{.*}} 11 {{[0-9]}}
// CHECK-NOT: .debug_info
