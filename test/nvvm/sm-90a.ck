// PTX for sm_90a says so, by both ways, and assembles.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90a --backend=libnvvm -o %t.libnvvm
// RUN: FileCheck %s --check-prefix=CHECK < %t.libnvvm
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
// RUN: %ckc %s --emit=ptx --target=sm_90a --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s --check-prefix=CHECK < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
kernel k(n: u32, x: in f32[n], y: out f32[n]) { for (i in grid.stride(n)) y[i] = sin(x[i]) + x[i] * 2; }
// CHECK:      .target sm_90a
// CHECK:      .entry k
