// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block_scan.ck - prefix sums of each tile and the tile's total, by each of the block's scan
// algorithms, like CUB's example_block_scan.cu. Elements are read and written once, 16 bytes at a
// time: 8 bytes an element.
// CALL: block_scan(x=[1, 2, 3, 4])
// EXPECT: y = [0, 1, 3, 6]
// EXPECT: totals = 10
// FOR: n in 1, 127, 512, 100003
// CALL: block_scan<raking>(x=rand:n)
// EXPECT: y = cumsum(x) - x - (cumsum(x) - x)[arange(n) // 512 * 512]
// EXPECT: totals = [x[i:i + 512].sum() for i in range(0, n, 512)]
// CALL: block_scan<raking_memoize>(x=rand:5003)
// EXPECT: y = cumsum(x) - x - (cumsum(x) - x)[arange(5003) // 512 * 512]
// CALL: block_scan<warp_scans>(x=rand:5003)
// EXPECT: y = cumsum(x) - x - (cumsum(x) - x)[arange(5003) // 512 * 512]
// CALL: block_scan<warp_scans, 96, 3>(x=rand:1000)
// EXPECT: y = cumsum(x) - x - (cumsum(x) - x)[arange(1000) // 288 * 288]
// BENCH: block_scan<warp_scans, 256, 8>(x=rand:2**26) bytes = 8 * n

kernel block_scan<const METHOD: u32 = warp_scans, const BLOCK: u32 = 128, const ITEMS: u32 = 4>(
    n: u64, x: in i32[n], y: out i32[n], totals: out i32[ceil_div(n, BLOCK * ITEMS)])
    launch(block = BLOCK, grid = ceil_div(n, BLOCK * ITEMS))
{
    let base = block.rank * (BLOCK * ITEMS);
    let items = block.load<vectorized>(x, base, ITEMS);
    let (before, total) = block.exclusive_scan_total<METHOD>(items, +);
    block.store<vectorized>(y, base, before);
    if (thread.rank == 0) totals[block.id.x] = total;
}
