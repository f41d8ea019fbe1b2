// -O0 assembles as well.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -O0 -o %t.libnvvm
// RUN: FileCheck %s --check-prefix=CHECK < %t.libnvvm
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -O0 -o %t.nvptx
// RUN: FileCheck %s --check-prefix=CHECK < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
fn f(n: u32) -> u32 { if (n < 2) return 1; return n * f(n - 1); }
kernel k(y: inout u32[1]) { for (i in 0..y[0]) y[0] += f(i); }
// CHECK:      .entry k
