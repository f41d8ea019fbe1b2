// A product that stands alone, and a quotient, are rounded as they are.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s --check-prefix=CHECK < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
kernel k(a: f32, b: f32, y: out f32[2]) { y[0] = a * b; y[1] = a / b; }
// CHECK-DAG: mul.rn.f32
// CHECK-DAG: div.rn.f32
// CHECK-NOT: fma.rn
