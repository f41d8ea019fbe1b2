// The sum of two 16-bit integers and constants is two sums: ptxas may lose a constant of a packed one.
// Only a GPU has shown the lost constant: LLVM 19 leaves no add.s16x2 of which one half is used.
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %if nvvm %{ %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o - | FileCheck %s %}
// RUN: %ckc %s --no-repair=short_pair --emit=ptx --target=sm_90 --backend=nvptx -o - \
// RUN:   | FileCheck %s --check-prefix=WITHOUT
kernel k(x: in u16x2[64], y: out u16x2[32]) launch(block = 32, grid = 1)
{
    y[thread.rank] = x[thread.rank] + u16x2(7, 9);
}
// CHECK-NOT: add.s16x2
// CHECK:     add.s16
// CHECK:     add.s16
// WITHOUT:   add.s16x2
