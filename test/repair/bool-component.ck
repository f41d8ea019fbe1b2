// A component of a vector of bools, by a variable index, is a bit of a word: libNVVM keeps the vector in
// memory, and takes the byte that it loads for a predicate.
// REQUIRES: nvvm
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s
// RUN: %ckc %s --no-repair=bool_component --emit=ptx --target=sm_90 --backend=libnvvm -o - \
// RUN:   | FileCheck %s --check-prefix=WITHOUT
kernel k(x: in u32x4[64], at: in u32[64], y: out u32[64]) launch(block = 64, grid = 1)
{
    let c = x[thread.rank] > u32x4(1, 2, 3, 4);
    y[thread.rank] = c[at[thread.rank] & 3] ? 7 : 9;
}
// CHECK-NOT: .local
// CHECK:     ret;
// WITHOUT:   .local
