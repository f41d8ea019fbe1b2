// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kmeans.ck - a step of k-means (Lloyd, Least Squares Quantization in PCM, 1982): each of n points of D numbers is
// assigned to the nearest of K centroids (the first of several), and the points of each centroid are summed and
// counted. The sum divided by the count is the centroid of the next step. The nearest centroid maximises
//     x . c - |c|^2 / 2 = (|x|^2 - |x - c|^2) / 2
// with D multiplications. Centroids are in shared memory, and a thread has POINTS points in registers, so that
// each centroid it reads serves all of them. A block accumulates in shared memory: `total` has a bank for each
// centroid, so that the lanes of a warp conflict only if their points have the same centroid.
//
// Clusters around corners of a cube of five dimensions, with points whose rounding is known; then random points, for
// which the number of centroids before the first nearest one is counted.
// FOR: n in 1, 31, 1000, 2049, 5000
// CALL: kmeans_step(points=8 * (7 * arange(n)[:, None] >> arange(8) & 1) * (arange(8) < 5) + (arange(n)[:, None] * (3 + arange(8)) ** 2 % 7 - 3), centroids=8 * (arange(32)[:, None] >> arange(8) & 1), sums=zeros:32x8, counts=zeros:32)
// EXPECT: assigned = 7 * arange(n) % 32
// EXPECT: counts = sum(7 * arange(n) % 32 == arange(32)[:, None], axis=1)
// EXPECT: sums = (7 * arange(n) % 32 == arange(32)[:, None]) @ points
// FOR: n in 1, 257, 2000
// CALL: kmeans_step(points=arange(n)[:, None] * (arange(8) + 11) ** 3 % 17 - 8, centroids=(arange(32)[:, None] + 5) ** 2 * (arange(8) + 3) ** 3 % 19 - 9, sums=ones:32x8, counts=ones:32)
// EXPECT: assigned = sum(cumprod(sum((points[:, None] - centroids) ** 2, axis=2) > amin(sum((points[:, None] - centroids) ** 2, axis=2), axis=1, keepdims=True), axis=1), axis=1)
// EXPECT: counts = 1 + sum(sum(cumprod(sum((points[:, None] - centroids) ** 2, axis=2) > amin(sum((points[:, None] - centroids) ** 2, axis=2), axis=1, keepdims=True), axis=1), axis=1) == arange(32)[:, None], axis=1)
// EXPECT: sums = 1 + (sum(cumprod(sum((points[:, None] - centroids) ** 2, axis=2) > amin(sum((points[:, None] - centroids) ** 2, axis=2), axis=1, keepdims=True), axis=1), axis=1) == arange(32)[:, None]) @ points
// TOLERANCE: exact
// BENCH: kmeans_step(points=rand:2**22x8, centroids=rand:32x8:1, sums=zeros:32x8, counts=zeros:32) bytes = 36 * n, flops = 2 * 8 * 32 * n

const D: u32 = 8;
const K: u32 = 32;
const BLOCK: u32 = 256;
const POINTS: u32 = 4;                  // of a thread at a time
const PASSES: u32 = 2;
static_assert(BLOCK == K * D, "a thread has a number of a centroid");

@blocks_per_sm(4)                       // 64 registers, which suffice
kernel kmeans_step(n: u32, points: in f32[n, D], centroids: in f32[K, D], assigned: out u32[n],
                   sums: inout f32[K, D], counts: inout u32[K])
    launch(block = BLOCK, grid = ceil_div(n, BLOCK * POINTS * PASSES))
{
    shared centroid: f32[K, D];
    shared half: f32[K];                // |c|^2 / 2
    shared total: f32[D, K];
    shared members: u32[K];
    let (c, d) = (thread.x / D, thread.x % D);
    centroid[c, d] = centroids[c, d];
    total[d, c] = 0;
    if (thread.x < K) {
        let all = centroids.load<8>(thread.x, 0);
        half[thread.x] = dot(all, all) / 2;
        members[thread.x] = 0;
    }
    block.sync();

    unroll(1) for (pass in 0..PASSES) {
        let first = (block.id.x * PASSES + pass) * BLOCK * POINTS + thread.x;
        var x: f32x8[POINTS];
        var best: f32[POINTS];
        var nearest: u32[POINTS];
        unroll for (p in 0u32..POINTS) {
            x[p] = points.load<8>(min(first + p * BLOCK, n - 1), 0);
            best[p] = -inf;
        }
        unroll(2) for (k in 0..K) {
            let (center, start) = (centroid.load<8>(k, 0), -half[k]);
            unroll for (p in 0u32..POINTS) {
                var score = start;
                unroll for (j in 0..8) score = fma(x[p][j], center[j], score);
                if (score > best[p]) (best[p], nearest[p]) = (score, k);
            }
        }
        unroll for (p in 0u32..POINTS) {
            let i = first + p * BLOCK;
            if (i < n) {
                let k = nearest[p];
                assigned[i] = k;
                atomic.add(members[k], 1, scope = block);
                unroll for (j in 0u32..D) atomic.add(total[j, k], x[p][j], scope = block);
            }
        }
    }
    block.sync();
    if (members[c] > 0) atomic.add(sums[c, d], total[d, c]);
    if (thread.x < K) atomic.add(counts[thread.x], members[thread.x]);
}
