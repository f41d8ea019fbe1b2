// A constant of f16 below 0 gets beside another half by prmt: multiplied, ptxas may lose its sign.
// Only a GPU has shown the lost sign: ptxas 13.0 keeps it in all programs whose machine code was read.
// REQUIRES: nvvm
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s
// RUN: %ckc %s --no-repair=half_sign --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s --check-prefix=WITHOUT
kernel k(x: in f16[32], y: inout f16x2[64]) launch(block = 32, grid = 1)
{
    let t = thread.rank;
    y[t] *= f16x2(x[t], -100);
    y[t + 32] *= f16x2(-7, x[t]);
}
// CHECK-DAG: mov.b32 both, {[[X:%[hrs]+[0-9]+]], [[X]]}; prmt.b32 %{{[hr0-9]+}}, both, 54848, 0x5410; }
// CHECK-DAG: mov.b32 both, {[[X]], [[X]]}; prmt.b32 %{{[hr0-9]+}}, both, 50944, 0x1054; }

// A number that may be another is no constant: it came from before the loop, or from the loop.
// CHECK-LABEL: .entry changed
// CHECK-NOT: prmt
kernel changed(n: u32, x: in f16[32], y: inout f16x2[32]) launch(block = 32, grid = 1)
{
    var c = -7.0f16;
    for (i in 0..n) c = max(c, x[i]);
    y[thread.rank] *= f16x2(c, x[thread.rank]);
}
// WITHOUT-NOT: prmt
