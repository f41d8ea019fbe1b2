// Through a function too, unless the memory is written.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t.libnvvm
// RUN: FileCheck %s --check-prefix=CHECK < %t.libnvvm
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s --check-prefix=CHECK < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
fn f(a: in f32[], b: inout f32[]) -> f32 { b[0] = 7.0; return a[0]; }
kernel k(x: inout f32[4]) { x[1] = f(x, x); }
// CHECK-NOT: ld.global.nc
// CHECK:      ret
