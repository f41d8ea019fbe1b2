// The least of two halves is made of two pairs: ptxas may leave a copy above the bits of min.f16.
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
// RUN: %ckc %s --no-repair=half_min --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s --check-prefix=WITHOUT
// RUN: %if sass %{ %ckc %s --no-repair=half_min --emit=ptx --target=sm_90 --backend=nvptx -o - | %sass | FileCheck %s --check-prefix=WRONG %}
// REQUIRES: nvvm
// CHECK: { .reg .b32 pair<2>; mov.b32 pair0, {[[A:%[hrs]+[0-9]+]], [[A]]}; mov.b32 pair1, {[[B:%[hrs]+[0-9]+]], [[B]]}; min.f16x2 pair0, pair0, pair1; cvt.u16.u32 %{{[hrs]+[0-9]+}}, pair0; }
kernel k(x: in f16[32], y: out u32[32]) launch(block = 32, grid = 1)
{
    y[thread.rank] = u32(bit_cast<u16>(clamp(x[thread.rank], -1.0f16, 1.0f16))) % 5;
}
// WITHOUT: min.f16{{[ 	]}}
// The upper half of the minimum is divided as well.
// WRONG:      HMNMX2 [[R:R[0-9]+]], {{.*}}, 1, 1, PT
// WRONG-NEXT: IMAD {{.*}}, [[R]].reuse, 0xcccd
