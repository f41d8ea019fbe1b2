// Conversions to integers are cvt.rzi.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t.libnvvm
// RUN: FileCheck %s --check-prefix=CHECK < %t.libnvvm
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s --check-prefix=CHECK < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
kernel k(a: f32, b: f64, y: out i32[1], z: out u64[1]) { y[0] = i32(a); z[0] = u64(b); }
// CHECK:      cvt.rzi.s32.f32
// CHECK:      cvt.rzi.u64.f64
