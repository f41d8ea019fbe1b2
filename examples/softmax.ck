// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// softmax.ck - one block per row: three passes, with block reductions for its maximum and its sum.
// CALL: softmax<f32,256>(x=[[0, 0], [1, 1]])
// EXPECT: y = [[0.5, 0.5], [0.5, 0.5]]
// FOR: r in 1, 3
// FOR: c in 1, 31, 1000
// CALL: softmax<f32,256>(x=rand:r x c)
// EXPECT: y = exp(x) / exp(x).sum(axis=1, keepdims=True)
// TOLERANCE: 1e-5
// CALL: softmax<bf16,512>(x=rand:2x700)
// EXPECT: y = exp(x) / exp(x).sum(axis=1, keepdims=True)
// TOLERANCE: 0.01
// BENCH: softmax<f32,256>(x=rand:4096x4096) bytes = 16 * rows * n

kernel softmax<T: float = f32, const BLOCK: u32 = 256>(rows: u32, n: u32, x: in T[rows, n], y: out T[rows, n])
    launch(block = BLOCK, grid = rows)
{
    let row = block.id.x;
    var m = -inf<f32>;
    for (i in block.stride(n)) m = max(m, f32(x[row, i]));      // i = thread.rank, then += block.size, while < n
    m = block.reduce(m, max);                                   // valid in every thread
    var s = 0.0;
    for (i in block.stride(n)) s += exp(f32(x[row, i]) - m);
    s = block.reduce(s, +);
    for (i in block.stride(n)) y[row, i] = T(fast { exp(f32(x[row, i]) - m) / s });
}
export softmax<f32>, softmax<bf16, 512>;                        // instances compiled ahead of time; a run-time user asks for "softmax<f16,128>" by name
