// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// scale.ck - x *= factor in place, for floats of both sizes: a generic kernel, and an inout array.
// FOR: k in 1, 31, 33, 1000003
// CALL: scale(factor=-2.5, x=rand:k)
// EXPECT: x = factor * x
// FOR: k in 1, 1000
// CALL: scale<f64>(factor=0.1, x=rand:k)
// EXPECT: x = factor * x
// BENCH: scale(factor=-1, x=rand:2**24) bytes = 8 * n, flops = n

kernel scale<T: float = f32>(n: u64, factor: T, x: inout T[n])
    launch(block = 256, grid = ceil_div(n, 256))
{
    let i = grid.thread_rank;
    if (i < n) x[i] *= factor;
}
