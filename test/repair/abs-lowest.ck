// The lowest number's distance from 0 is itself, below 0, which ptxas forgets of abs: it is a choice.
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
// RUN: %ckc %s --no-repair=abs_lowest --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s --check-prefix=WITHOUT
// RUN: %if sass %{ %ckc %s --no-repair=abs_lowest --emit=ptx --target=sm_90 --backend=nvptx -o - | %sass | FileCheck %s --check-prefix=WRONG %}
// REQUIRES: nvvm
// CHECK-NOT: abs.s
// CHECK:     setp.lt.s32 below, [[X:%r[0-9]+]], 0; neg.s32 other, [[X]]; selp.b32 %r{{[0-9]+}}, other, [[X]], below; }
// CHECK-NOT: abs.s
// CHECK:     setp.lt.s64 below, [[Y:%rd[0-9]+]], 0; neg.s64 other, [[Y]]; selp.b64 %rd{{[0-9]+}}, other, [[Y]], below; }
kernel k(x: in i32[32], y: inout i64[32], z: out i32[32]) launch(block = 32, grid = 1)
{
    let t = thread.rank;
    z[t] = abs(x[t]) % 1000;
    y[t] = abs(y[t]) < 0 ? 1 : 2;
}
// WITHOUT: abs.s32
// WITHOUT: abs.s64
// Without it, no number is below 0, and x isn't even loaded.
kernel below(x: in i32[32], y: out i32[32]) launch(block = 32, grid = 1)
{
    y[thread.rank] = abs(x[thread.rank]) < 0 ? 1 : 2;
}
// WRONG-LABEL: .text.below:
// WRONG-NOT:   LDG
// WRONG:       EXIT
