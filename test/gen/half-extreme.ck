// min and max of halves are one instruction, from sm_80 on, two of a vector's components at a time.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas-verify < %t.ptx %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_80 --backend=libnvvm -o %t.80.ptx %}
// RUN: %if nvvm %{ FileCheck %s < %t.80.ptx %}
// RUN: %if ptxas %{ %ptxas-verify < %t.80.ptx %}
kernel greatest(x: in f16x2[64], y: inout f16x2[64]) launch(block = 64, grid = 1) { y[thread.x] = max(x[thread.x], y[thread.x]); }
kernel limited(x: in f16[64], y: out f16[64]) launch(block = 64, grid = 1) { y[thread.x] = clamp(x[thread.x], 0, 6); }
kernel least(x: in bf16x3[64], y: inout bf16x3[64]) launch(block = 64, grid = 1) { y[thread.x] = min(x[thread.x], y[thread.x]); }
// CHECK-NOT: cvt.{{.*}}f16
// CHECK-LABEL: .entry greatest
// CHECK: max.f16x2
// CHECK-LABEL: .entry limited
// CHECK: max.f16 %
// CHECK: min.f16x2 pair0, pair0, pair1; cvt.u16.u32
// CHECK-LABEL: .entry least
// CHECK-DAG: min.bf16x2
// CHECK-DAG: min.bf16 %
