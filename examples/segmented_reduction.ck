// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// segmented_reduction.ck - the sum of each segment offsets[s]..offsets[s + 1], by one block each.
//
// Each thread sums a part of the segment; a tree in shared memory sums the parts.
// CALL: segmented_reduction(offsets=[0, 4, 8, 12], x=arange(1, 13))
// EXPECT: y = [10, 26, 42]
// CALL: segmented_reduction(offsets=[0, 0, 1, 1, 34], x=arange(34))
// EXPECT: y = [0, 0, 0, 561]
// CALL: segmented_reduction<f64, 32>(offsets=[0, 100, 100003], x=rand:100003)
// EXPECT: y = host
// TOLERANCE: 1e-9
// FOR: k in 1, 31, 33, 300
// FOR: len in 1, 255, 3333
// CALL: segmented_reduction(offsets=len * arange(k + 1), x=rand:(k * len))
// EXPECT: y = x.reshape(k, len).sum(axis=1)
// CALL: segmented_reduction<f64, 32>(offsets=[0, 100, 1000003], x=rand:1000003)
// EXPECT: y = [x[:100].sum(), x[100:].sum()]
// TOLERANCE: 1e-9
// BENCH: segmented_reduction<f32>(offsets=4096 * arange(4097), x=rand:2**24) bytes = 4 * n

kernel segmented_reduction<T: number = i32, const BLOCK: u32 = 256>(
    segments: u32, n: u64, offsets: in u64[segments + 1], x: in T[n], y: out T[segments])
    launch(block = BLOCK, grid = segments)
{
    shared share: T[BLOCK];
    let segment = block.id.x;
    var sum = T(0);
    for (i in (offsets[segment] + thread.x..offsets[segment + 1]).step(BLOCK)) sum += x[i];
    share[thread.x] = sum;
    block.sync();
    var half = BLOCK / 2;
    while (half > 0) {
        if (thread.x < half) share[thread.x] += share[thread.x + half];
        block.sync();
        half /= 2;
    }
    if (thread.x == 0) y[segment] = share[0];
}
