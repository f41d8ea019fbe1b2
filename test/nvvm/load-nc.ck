// An 'in' span is read through the read-only cache, an 'inout' one is not.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t.libnvvm
// RUN: FileCheck %s --check-prefix=CHECK < %t.libnvvm
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s --check-prefix=CHECK < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
kernel k(n: u32, x: in f32[n], y: inout f32[n]) launch(block = 32) { y[thread.x] += x[thread.x]; }
// CHECK-DAG: ld.global.nc.f32
// CHECK-DAG: ld.global.f32
// CHECK:      st.global.f32
