// An integer goes through f16 on its way to f32, whatever LLVM knows of its digits: infinity stays infinity.
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %if nvvm %{ %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o - | FileCheck %s %}
// RUN: %ckc %s --no-repair=half_overflow --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s --check-prefix=WITHOUT
// RUN: %ckc run %s k x=[1,3] s=[-1,3] y=zeros:2 w=zeros:2 --print=y --print=w --device=host %repair | FileCheck %s --check-prefix=HOST
// RUN: %ckc run %s k x=[1,3] s=[-1,3] y=zeros:2 w=zeros:2 --print=y --device=host --no-repair=half_overflow \
// RUN:   | FileCheck %s --check-prefix=WRONG
// REQUIRES: ckc, host
// CHECK-LABEL: .entry k
// CHECK-DAG:   cvt.rn.f16.u32
// CHECK-DAG:   cvt.rn.f16.s64
// CHECK-NOT:   cvt.rn.f32
// CHECK:       ret;
kernel k(x: in u32[2], s: in i64[2], y: out f32[2], w: out f32[2]) launch(block = 2, grid = 1)
{
    y[thread.x] = f32(f16(x[thread.x] << 25));
    w[thread.x] = f32(f16(s[thread.x] << 55));
}
// HOST:    y = {{.*}}inf, inf
// HOST:    w = {{.*}}-inf, inf
// WITHOUT: cvt.rn.f32.u32
// WITHOUT: cvt.rn.f32.s64
// WRONG:   y = {{.*}}33554432, 1.006633e+08
