// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add.ck - c = a + b: a thread for each element, and a bounds check for the last block.
// FOR: k in 1, 31, 33, 255, 257, 1000003
// CALL: vector_add(a=rand:k, b=rand:k:7)
// EXPECT: c = a + b

kernel vector_add(n: u64, a: in f32[n], b: in f32[n], c: out f32[n])
    launch(block = 256, grid = ceil_div(n, 256))
{
    let i = grid.thread_rank;
    if (i < n) c[i] = a[i] + b[i];
}
