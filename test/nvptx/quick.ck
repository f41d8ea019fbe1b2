// --quick keeps long loops, unless it would compute other bits: a product and a sum may be fused.
// RUN: %ckc %s --target=sm_90 --quick --emit=ptx --kernel=longest | FileCheck %s
// RUN: %ckc %s --target=sm_90 --backend=nvptx --emit=ptx --kernel=longest | FileCheck %s --check-prefix=THOROUGH
// RUN: %ckc %s --target=sm_90 --quick --emit=ptx --kernel=short | FileCheck %s --check-prefix=SHORT
// RUN: %ckc %s --target=sm_90 --quick --backend=nvptx --emit=ptx --kernel=fused | FileCheck %s --check-prefix=FUSED
kernel longest(x: in u32[8], y: out u32[8]) launch(block = 1, grid = 1) {
    unroll for (i in 0..8) y[i] = max(x[i], 3);
}
kernel short(x: in f32[4], y: out f32[1]) launch(block = 1, grid = 1) {
    var sum = 0f32;
    unroll for (i in 0..4) sum += x[i];
    y[0] = sum;
}
kernel fused(x: in f32[8], y: out f32[1]) launch(block = 1, grid = 1) {
    var sum = 0f32;
    unroll for (i in 0..8) sum += x[i] * x[i];
    y[0] = sum;
}
// CHECK-COUNT-1: max.u32
// CHECK-NOT: max.u32
// THOROUGH-COUNT-8: max.u32
// SHORT: add
// SHORT-NOT: bra
// FUSED-COUNT-7: fma.rn.f32
