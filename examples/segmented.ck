// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// segmented.ck - a block per segment, any operator, any item count.
// CALL: segmented_reduce<i32,256,4>(x=arange(2500), y=zeros:3)
// EXPECT: y = [523776, 1572352, 1027622]
// CALL: segmented_reduce<f64,64,7>(x=rand:4480, y=zeros:10)
// EXPECT: y = x.reshape(10, 448).sum(axis=1)
// TOLERANCE: 1e-12
// BENCH: segmented_reduce<f32,256,4>(x=rand:2**24, y=zeros:2**14) bytes = 4 * 2**24

kernel segmented_reduce<T: type, const BLOCK: u32 = 256, const ITEMS: u32 = 4>(x: in T[], y: out T[])
    launch(block = BLOCK, grid = y.len)
{
    let items = block.load<striped>(x, block.id.x * BLOCK * ITEMS, ITEMS, default = T(0));   // T[ITEMS], guarded by x's length
    let total = block.reduce(items, +);
    if (thread.rank == 0) y[block.id.x] = total;
}
export segmented_reduce<i32>, segmented_reduce<f32>, segmented_reduce<f64, 64, 7>;
