// An array of a thread goes to a function by value: a store to one says what to write. A shared one is a span.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel block_wide(y: out u32[1]) launch(block = 64, grid = 1) { var t: u32[64]; block.store(t, 0, [1u32]); y[0] = t[1]; }
// CHECK: [[@LINE-1]]:81: error: static_assert failed: a store takes a span: of an array a part, as tile[0..n]
kernel by_lanes(y: out u32[1]) launch(block = 64, grid = 1) { var t: u32[64]; warp.store<striped>(t, 0, [1u32]); y[0] = t[1]; }
// CHECK: [[@LINE-1]]:79: error: static_assert failed: a store takes a span: of an array a part, as tile[0..n]
kernel right(y: out u32[64]) launch(block = 64, grid = 1) { shared t: u32[64]; block.store(t[0..64], 0, [1u32]); block.store(t, 0, [1u32]); y[thread.x] = t[0]; }
// CHECK-NOT: error
