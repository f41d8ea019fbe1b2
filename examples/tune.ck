// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tune.ck - a kernel whose block size and elements per thread `ckc tune` finds (docs/tuning.md).
const ITEMS: u32 = tune(4, 2, 8); // elements of a thread
const BLOCK: u32 = tune(256, 128, 512);

kernel twice(n: u32, x: in f32[n], y: out f32[n])
    launch(block = BLOCK, grid = ceil_div(n, BLOCK * ITEMS))
{
    unroll for (k in 0..ITEMS) {
        let i = (block.id.x * ITEMS + k) * BLOCK + thread.x;
        if (i < n) y[i] = 2 * x[i];
    }
}
// FOR: k in 16, 20, 24
// BENCH: twice(x=rand:2**k, y=zeros:2**k)
// EXPECT: y = 2 * x
