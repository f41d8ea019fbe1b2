// The lowest number's distance from 0 is itself, below 0, which ptxas forgets of abs: it is a maximum.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
// REQUIRES: nvvm
// CHECK-NOT: abs.s
// CHECK:     { .reg .b32 other; neg.s32 other, [[X:%r[0-9]+]]; max.s32 %r{{[0-9]+}}, [[X]], other; }
// CHECK-NOT: abs.s
// CHECK:     { .reg .b64 other; neg.s64 other, [[Y:%rd[0-9]+]]; max.s64 %rd{{[0-9]+}}, [[Y]], other; }
kernel k(x: in i32[32], y: inout i64[32], z: out i32[32]) launch(block = 32, grid = 1)
{
    let t = thread.rank;
    z[t] = abs(x[t]) % 1000;
    y[t] = abs(y[t]) < 0 ? 1 : 2;
}
