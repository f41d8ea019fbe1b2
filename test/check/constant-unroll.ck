// The range of `unroll for` is constant if calls are worked out; of other loops it stays as it is.
// RUN: %ckc %s --dump=check --stop-after=check | FileCheck %s
const B = 16u32;
kernel k(x: inout u32[16]) launch(block = 1, grid = 1)
{
    // CHECK: for unroll
    // CHECK: int 4 : u32
    // CHECK-NOT: name clz
    unroll for (k in 0..32 - clz(B - 1)) x[k] = 1;
    // CHECK: for
    // CHECK: name clz
    for (k in 0..32 - clz(B - 1)) x[k] = 1;
}
