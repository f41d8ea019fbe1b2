// A signed byte out of a word, made a float as an unsigned number, is taken for a signed one by ptxas
// if bfe takes it out: shifts do.
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %ckc %s --no-repair=signed_field --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s --check-prefix=WITHOUT
// RUN: %if sass %{ %ckc %s --no-repair=signed_field --emit=ptx --target=sm_90 --backend=nvptx -o - | %sass | FileCheck %s --check-prefix=WRONG %}
// REQUIRES: nvvm
// CHECK-LABEL: .entry by_sign(
// CHECK:       bfe.s32
// CHECK:       cvt.rn.f32.s32
kernel by_sign(x: in i8x8[32], y: out f32[32]) launch(block = 32, grid = 1)
{
    y[thread.rank] = f32(i32(x[thread.rank][1]));
}
// CHECK-LABEL: .entry without(
// CHECK-NOT:   bfe.s32
// CHECK:       { .reg .b32 field; shl.b32 field, [[X:%r[0-9]+]], 16; shr.s32 [[Y:%r[0-9]+]], field, 24; }
// CHECK:       cvt.rn.f32.u32 %f{{[0-9]+}}, [[Y]];
kernel without(x: in i8x8[32], y: out f32[32]) launch(block = 32, grid = 1)
{
    y[thread.rank] = f32(u32(x[thread.rank][1]));
}
// WITHOUT: bfe.s32
// WITHOUT: bfe.s32
// WRONG-LABEL: .text.without:
// WRONG: I2F.S8
