// What a warp does in registers goes in any block; sorts by merging, exchanges and transposed loads need a constant one.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel any(n: u32, x: inout u32[n]) launch(block = n, grid = 1)
{
    let v = warp.load<striped>(x, 0, 1, default = 7);
    let sum = warp.reduce(v, +, valid = 4) + warp.reduce_batched(v, +);
    let (scan, total) = warp.exclusive_scan_total(v, +, init = 1);
    let sorted = warp.tile<8>.bitonic_sort([sum, total], |a, b| a < b);
    let run = sorted[0] + warp.segmented_reduce(sum, total == 5, +) + warp.segmented_exclusive_scan(sum, total == 5, max);
    warp.store<striped>(x, 0, [scan[0] + run]);
}
// CHECK-NOT: error
kernel some(n: u32, x: inout u32[n]) launch(block = n, grid = 1)
{
    // CHECK: :[[#@LINE+1]]:13: error: the block's size is not known at compile time [block_open]
    let a = warp.load<transpose>(x, 0, 2);
    // CHECK: :[[#@LINE+1]]:13: error: the block's size is not known at compile time [block_open]
    let b = warp.exchange<blocked_to_striped>([1u32, 2]);
    // CHECK: :[[#@LINE+1]]:13: error: the block's size is not known at compile time [block_open]
    let c = warp.merge_sort([1u32, 2], <);
}
