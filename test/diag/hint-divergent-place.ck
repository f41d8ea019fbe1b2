// 'uniform' is not proposed where a thread's place, lane, shuffle or scan alone stands against what is the same in all.
// RUN: not %ckc %s --stop-after=gen 2>&1 | FileCheck %s
kernel k(n: u32, x: inout f32[64]) launch(block = 64, grid = 1) {
    let i = grid.thread_rank;
    if (i < u64(n)) block.sync();
    if (warp.lane < 7) block.sync();
    let l = warp.shuffle(x[0], 0);
    if (l > 0) block.sync();
    if (warp.rank == 0) block.sync();
    if (warp.inclusive_scan(1u32, +) > n) block.sync();
    if (thread.x > 4 ? x[i] > 1 : x[n] > 1) block.sync();
}
// CHECK:      5:9: error: not all threads
// CHECK:      hint: Let all threads come to it: move it out of the 'if'.
// CHECK:      6:9: error: not all threads
// CHECK:      hint: Let all threads come to it: move it
// CHECK:      8:9: error: not all threads
// CHECK:      hint: Let all threads come to it: move it
// CHECK:      9:9: error: not all threads
// CHECK:      hint: Let all threads come to it: move it
// CHECK:      10:9: error: not all threads
// CHECK:      hint: Let all threads come to it: move it
// CHECK:      11:9: error: not all threads
// CHECK:      hint: Let all threads come to it; or,
