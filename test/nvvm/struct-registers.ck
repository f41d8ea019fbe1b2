// A reduction over a struct of two floats stays in registers, in both compilers.
// REQUIRES: nvvm, ptxas
// RUN: %ckc %s --target=sm_90 --emit=ptx | tee %t | FileCheck %s
// RUN: %ptxas-verify < %t
// RUN: %ckc %s --target=sm_90 --emit=ptx --backend=nvptx | tee %t | FileCheck %s
// RUN: %ptxas-verify < %t
struct MinMax { lo: f32; hi: f32; }
fn merge(a: MinMax, b: MinMax) -> MinMax {
    return MinMax(min(a.lo, b.lo), max(a.hi, b.hi));
}
// CHECK-NOT: .local
// CHECK: .entry spread(
// CHECK-NOT: .local
kernel spread(n: u32, x: in f32[n], y: out MinMax[ceil_div(n, 256)])
    launch(block = 256, grid = ceil_div(n, 256))
{
    shared part: MinMax[256];
    var m = MinMax(inf, -inf);
    for (i in grid.stride(n)) m = merge(m, MinMax(x[i], x[i]));
    part[thread.rank] = m;
    block.sync();
    var width = 128u32;
    while (width > 0) {
        if (thread.rank < width)
            part[thread.rank] = merge(part[thread.rank], part[thread.rank + width]);
        block.sync();
        width /= 2;
    }
    if (thread.rank == 0) y[block.id.x] = part[0];
}
