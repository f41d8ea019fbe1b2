// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block_reduce.ck - the sum of each tile, by each of the block's reduction algorithms, like CUB's
// example_block_reduce.cu. A tile is read once, 16 bytes at a time: 4 bytes an element, and 4 a
// tile.
// CALL: block_reduce(x=[1, 2, 3, 4])
// EXPECT: y = 10
// FOR: n in 1, 127, 512, 100003
// CALL: block_reduce<raking>(x=rand:n)
// EXPECT: y = [x[i:i + 512].sum() for i in range(0, n, 512)]
// CALL: block_reduce<raking_commutative_only>(x=rand:5003)
// EXPECT: y = [x[i:i + 512].sum() for i in range(0, 5003, 512)]
// CALL: block_reduce<warp_reductions>(x=rand:5003)
// EXPECT: y = [x[i:i + 512].sum() for i in range(0, 5003, 512)]
// CALL: block_reduce<raking, 96, 3>(x=rand:1000)
// EXPECT: y = [x[i:i + 288].sum() for i in range(0, 1000, 288)]
// BENCH: block_reduce<warp_reductions, 256, 8>(x=rand:2**26) bytes = 4 * n

kernel block_reduce<const METHOD: u32 = warp_reductions, const BLOCK: u32 = 128,
                    const ITEMS: u32 = 4>(
    n: u64, x: in i32[n], y: out i32[ceil_div(n, BLOCK * ITEMS)])
    launch(block = BLOCK, grid = ceil_div(n, BLOCK * ITEMS))
{
    // Elements after the end are loaded as zeros, which don't change the sum.
    let items = block.load<vectorized>(x, block.rank * (BLOCK * ITEMS), ITEMS);
    let sum = block.reduce_to<METHOD>(0, items, +);
    if (thread.rank == 0) y[block.id.x] = sum;
}
