// launch has block, grid and cluster.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(n: u32) launch(threads = 256) {}
kernel j(n: u32) launch(256) {}
kernel i(n: u32) launch(block = 256, grid = 1, min_blocks = 2) {}
// CHECK: error: 'threads' is not a part of launch: they are block, grid and cluster [launch_argument]
// CHECK: error: '256' is not a part of launch: they are block, grid and cluster [launch_argument]
// CHECK: error: 'min_blocks' is not a part of launch
// CHECK: hint: Attributes of the kernel say that: @blocks_per_sm(2), @registers(64).
