// Shared memory of the block's library is what its contracts say: that of the larger one where two follow.
// RUN: %ckc %s --emit=manifest --target=sm_90 | FileCheck %s
// CHECK-COUNT-3: "shared_bytes": 0,
kernel in_warp(x: inout u32[32]) launch(block = 32, grid = 1)
{
    x[thread.rank] = block.exclusive_scan(block.reduce(x[thread.rank], +), +) + block.bitonic_sort(x[thread.rank], <);
}
kernel direct(x: inout u32[512]) launch(block = 128, grid = 1) { block.store<striped>(x, 0, block.load<vectorized>(x, 0, 4)); }
kernel counted(x: inout u32[512]) launch(block = 128, grid = 1) { block.histogram([thread.rank], x); }
// CHECK: "shared_bytes": 16,
kernel warps(x: inout u32[128]) launch(block = 128, grid = 1) { x[thread.rank] = block.reduce(x[thread.rank], +); }
// CHECK: "shared_bytes": 512,
kernel one_by_one(x: inout u32[128]) launch(block = 128, grid = 1) { x[thread.rank] = block.reduce<raking_commutative_only>(x[thread.rank], +); }
// CHECK: "shared_bytes": 2048,
kernel turned(x: inout u32[512]) launch(block = 128, grid = 1) { block.store<transpose>(x, 0, block.load<transpose>(x, 0, 4)); }
// CHECK: "shared_bytes": 544,
kernel in_turns(x: inout u32[512]) launch(block = 128, grid = 1) { block.store(x, 0, block.load<warp_transpose_timesliced>(x, 0, 4)); }
// Of 4 bits 2 a thread for each digit and 4 more; of 8 bits 4 a warp for each; and a scan's 16.
// CHECK: "shared_bytes": 4624,
kernel counters(x: inout u32[512]) launch(block = 128, grid = 1) { block.store(x, 0, block.radix_sort(block.load(x, 0, 4), end_bit = 8)); }
// CHECK: "shared_bytes": 4112,
kernel digits(x: inout u32[384]) launch(block = 128, grid = 1) { block.store(x, 0, block.radix_sort(block.load(x, 0, 3), end_bit = 8)); }
// CHECK: "shared_bytes": 2048,
kernel network(x: inout f32[512]) launch(block = 128, grid = 1) { block.store(x, 0, block.radix_sort(block.load(x, 0, 4))); }
// CHECK: "shared_bytes": 4096,
kernel placed(x: inout f32[512]) launch(block = 128, grid = 1) { block.store(x, 0, block.radix_sort(block.load(x, 0, 4), block.load(x, 0, 4))[1]); }
// CHECK: "shared_bytes": 4096,
kernel pairs(x: inout u32[512]) launch(block = 128, grid = 1)
{
    let k = block.load(x, 0, 4);
    block.store(x, 0, block.merge_sort(k, k, <)[1]);
}
