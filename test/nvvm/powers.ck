// A square that is squared over and over is compiled at once, in a loop that libNVVM unrolls too.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=libnvvm -o - | FileCheck %s
kernel tower(x: in i32[128], y: inout u64[128], s: u32) launch(block = 64, grid = 2)
{
    var h = 0u64;
    var r = x[16];
    for (i in 0..5) for (j in 0..2) for (k in 0..2) for (l in 0..2) r = r * r;
    h = rotate_left(h, 7) * 3 + u64(r);
    h = rotate_left(h, 7) * 3 + u64(s);
    y[grid.thread_rank] = h;
}
// CHECK: .entry tower
// CHECK: begin inline asm
// CHECK: mul.lo.u32
// CHECK: ret;
