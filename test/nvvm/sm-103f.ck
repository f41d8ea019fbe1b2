// PTX for sm_103f says so, and assembles.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_103f --backend=libnvvm -o %t.libnvvm
// RUN: FileCheck %s --check-prefix=CHECK < %t.libnvvm
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
kernel k(n: u32, x: in f32[n], y: out f32[n]) { for (i in grid.stride(n)) y[i] = sin(x[i]) + x[i] * 2; }
// CHECK:      .target sm_103f
// CHECK:      .entry k
