// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nbody.ck - the gravity of n bodies on each other, all pairs (Nyland, Harris and Prins, Fast N-Body Simulation with
// CUDA, GPU Gems 3, chapter 31, 2007). A block loads the bodies into shared memory in tiles of its own size; each
// thread sums over a tile for one body. A body is x, y, z and its mass: 20 flops a pair, as counted in the chapter.
// TOLERANCE: 1e-4
// CALL: nbody(softening=0, bodies=[[0, 0, 0, 1], [2, 0, 0, 8]])
// EXPECT: force = [[2, 0, 0, 0], [-0.25, 0, 0, 0]]
// FOR: n in 1, 255, 600
// CALL: nbody(softening=0.1, bodies=rand:n)
// EXPECT: force = where(arange(4) < 3, sum((bodies - bodies[:, None]) * (bodies[:, 3] / (sum((bodies[:, :3] - bodies[:, None, :3]) ** 2, axis=2) + 0.1) ** 1.5)[:, :, None], axis=1), 0)
// TOLERANCE: 1e-4
// BENCH: nbody(softening=0.1, bodies=rand:2**15) flops = 20 * n * n

const TILE: u32 = 256;

kernel nbody(n: u32, softening: f32, bodies: in f32x4[n], force: out f32x4[n])
    launch(block = TILE, grid = ceil_div(n, TILE))
{
    shared tile: f32x4[TILE];
    let i = u32(grid.thread_rank);
    let mine = i < n ? bodies[i] : f32x4(0);
    var sum = f32x3(0);
    for (start in (0..n).step(TILE)) {
        // After the end the tile is filled with distant bodies without mass.
        let j = start + thread.x;
        tile[thread.x] = j < n ? bodies[j] : f32x4(1e9, 1e9, 1e9, 0);
        block.sync();
        unroll(16) for (k in 0..TILE) {
            let apart = tile[k].xyz - mine.xyz;
            let distance = fma(apart.x, apart.x, fma(apart.y, apart.y, fma(apart.z, apart.z, softening)));
            // Distance 0 (the body itself, without softening) gives no force instead of 0 * inf.
            let inverse = distance > 0 ? fast_rsqrt(distance) : 0;
            sum += apart * (tile[k].w * inverse * inverse * inverse);
        }
        block.sync();
    }
    if (i < n) force[i] = f32x4(sum, 0);
}
