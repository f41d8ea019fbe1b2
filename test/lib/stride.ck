// stride shares a range among the threads of a block or the grid.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(n: u32, m: i64, y: inout f32[n]) launch(block = 128) { for (i in block.stride(n)) y[i] += 1; for (i in grid.stride(m)) y[i] += 2; }
// CHECK:      @k(
// CHECK:      insertvalue { i32, i32, i32 } %{{.*}}, i32 128, 2
