// The greatest of -x and two others is a choice, then a maximum: one instruction of sm_90 forgets the -.
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
// RUN: %ckc %s --no-repair=max_negation --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s --check-prefix=WITHOUT
// RUN: %if sass %{ %ckc %s --no-repair=max_negation --emit=ptx --target=sm_90 --backend=nvptx -o - | %sass | FileCheck %s --check-prefix=WRONG %}
// REQUIRES: nvvm
// CHECK: setp.gt.s32 first, [[A:%r[0-9]+]], [[B:%r[0-9]+]]; selp.b32 [[C:%r[0-9]+]], [[A]], [[B]], first; }
// CHECK: max.s32
// CHECK: setp.lt.s32 first,
// CHECK: min.s32
kernel k(x: in i32x4[32], y: out i32[32], z: out i32[32]) launch(block = 32, grid = 1)
{
    let v = x[thread.rank];
    y[thread.rank] = max(max(v.x, -v.y), v.z);
    z[thread.rank] = min(min(v.x, -v.y), v.z);
}
// WITHOUT-NOT: selp
// WRONG-NOT: {{IADD3|IMAD.MOV}}{{.*}} -R
