// An integer goes through f16 on its way to f32, whatever LLVM knows of its digits: infinity stays infinity.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o - | FileCheck %s %}
// CHECK-LABEL: .entry k
// CHECK-DAG:   cvt.rn.f16.u32
// CHECK-DAG:   cvt.rn.f16.s64
// CHECK-NOT:   cvt.rn.f32
// CHECK:       ret;
kernel k(x: in u32[32], s: in i64[32], y: out f32[32], w: out f32[32]) launch(block = 32, grid = 1)
{
    y[thread.x] = f32(f16(x[thread.x] << 25));
    w[thread.x] = f32(f16(s[thread.x] << 55));
}
