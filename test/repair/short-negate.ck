// -x of -32768 is -32768, also where it is used as 32 bits: it is cut to 16 bits before.
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %if sass %{ %sass < %t | FileCheck %s --check-prefix=SASS %}
// RUN: %ckc %s --no-repair=short_negate --emit=ptx --target=sm_90 --backend=nvptx -o %t.without
// RUN: FileCheck %s --check-prefix=WITHOUT < %t.without
// RUN: %if sass %{ %sass < %t.without | FileCheck %s --check-prefix=WRONG %}
kernel k(x: in i16[32], y: out i32[32]) launch(block = 32, grid = 1)
{
    y[thread.rank] = i32(-x[thread.rank]);
}
// CHECK:     cvt.s32.s16 wide, {{.*}}; neg.s32 wide, wide; cvt.u16.u32
// CHECK-NOT: {{neg|sub}}.s16
// WITHOUT:   {{neg|sub}}.s16
// SASS:      IADD3 [[R:R[0-9]+]], -
// SASS-NEXT: PRMT {{.*}} [[R]], 0x9910, RZ
// WRONG:     IADD3 [[R:R[0-9]+]], RZ, -
// WRONG-NOT: PRMT
// WRONG:     STG
