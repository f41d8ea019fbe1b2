// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nearest.ck - the k nearest of a set of points, for each query: squared distances to all points, a row
// for each query, and of each row the k least with their places.
// CALL: nearest(points=[0, 0, 3, 4, 1, 1], queries=[0, 0, 3, 3], distances=zeros:4, places=zeros:4, n=3, m=2, k=2, d=2)
// EXPECT: places = [[0, 2], [1, 2]]
// EXPECT: distances = [[0, 2], [1, 8]]
// FOR: n in 22, 300
// CALL: nearest(points=iota:n, queries=[0.25, 10.25, 20.25], distances=zeros:6, places=zeros:6, n=n, m=3, k=2, d=1)
// EXPECT: distances = [[0.0625, 0.5625], [0.0625, 0.5625], [0.0625, 0.5625]]
// EXPECT: places = [[0, 1], [10, 11], [20, 21]]

const TILE: u32 = 16;

// A thread a pair of query and point; tiles of both are in shared memory.
kernel squared_distances(n: u32, m: u32, d: u32, points: in f32[n, d], queries: in f32[m, d], to: out f32[m, n])
    launch(block = (TILE, TILE), grid = (ceil_div(n, TILE), ceil_div(m, TILE)))
{
    shared p: f32[TILE, TILE + 1];
    shared q: f32[TILE, TILE + 1];
    let (point, query) = (block.id.x * TILE + thread.x, block.id.y * TILE + thread.y);
    var sum = 0.0f32;
    for (at in (0..d).step(TILE)) {
        let (row, i) = (block.id.x * TILE + thread.y, at + thread.x);
        p[thread.y, thread.x] = row < n && i < d ? points[row, i] : 0;
        q[thread.y, thread.x] = query < m && i < d ? queries[query, i] : 0;
        block.sync();
        for (j in 0..TILE) {
            let by = p[thread.x, j] - q[thread.y, j];
            sum += by * by;
        }
        block.sync();
    }
    if (point < n && query < m) to[query, point] = sum;
}

algorithm nearest(n: u32, m: u32, k: u32, d: u32, points: in f32[n, d], queries: in f32[m, d], distances: out f32[m, k], places: out u32[m, k]) {
    scratch all: f32[m, n];
    launch squared_distances(block = (TILE, TILE), grid = (ceil_div(n, TILE), ceil_div(m, TILE)), n, m, d, points, queries, all);
    top_k(all, distances, places, descending = false);
}
