// A sum of 8 bits is made in 32 and cut before it is compared.
// Only a GPU has shown wrong results: libNVVM 13.0 and ptxas 13.0 cut the sums of all programs whose PTX or
// machine code was read.
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %ckc %s --no-repair=byte_sum --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s --check-prefix=WITHOUT
// RUN: %if nvvm %{ %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o - | FileCheck %s --check-prefix=NVVM %}
kernel pairs(x: in i8x2[64], z: in i8x2[64], y: out i8x2[64]) launch(block = 32, grid = 1)
{
    y[thread.rank] = x[thread.rank] + z[thread.rank];
}
// CHECK-LABEL:   .entry pairs(
// CHECK-NOT:     add.s16
// CHECK:         add.s32
// CHECK:         ret;
// WITHOUT-LABEL: .entry pairs(
// WITHOUT:       add.s16
kernel compared(x: in u8[64], y: out u32[32]) launch(block = 32, grid = 1)
{
    y[thread.rank] = x[thread.rank] + x[thread.rank + 32] < 100 ? 1 : 2;
}
// NVVM-LABEL:    .entry compared(
// NVVM:          and.b{{.*}}, 255;
