// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bfs.ck - breadth-first search of a graph in compressed rows, one level a launch: every vertex at distance `level`
// sets those of its neighbours that are still FAR to level + 1 (Hong, Kim, Oguntebi and Olukotun, Accelerating CUDA
// Graph Algorithms at Maximum Warp, 2011). A tile of 8 lanes visits the edges of a vertex together, so that
// they are read coalesced and a vertex with many edges does not delay 31 others. The edges of vertex v are
// to[start[v]] up to to[start[v + 1] - 1]. `found` is set if a level has reached a vertex: the search ends when
// it stays 0. Distances are read and written by relaxed atomics, since two vertices may reach the same neighbour.
//
// A hypercube of 2^10 vertices: the distance from vertex 0 is the number of ones.
// FOR: level in 0, 1, 5, 9, 10
// CALL: bfs_level(level=level, start=10 * arange(1025), to=(arange(1024)[:, None] ^ (1 << arange(10))).reshape(10240), distance=where(sum(arange(1024)[:, None] >> arange(10) & 1, axis=1) <= level, sum(arange(1024)[:, None] >> arange(10) & 1, axis=1), 2**32 - 1), found=[0])
// EXPECT: distance = where(sum(arange(1024)[:, None] >> arange(10) & 1, axis=1) <= level + 1, sum(arange(1024)[:, None] >> arange(10) & 1, axis=1), 2**32 - 1)
// EXPECT: found = where(level < 10, 1, 0)
//
// Random edges, from none to 40 a vertex; a third of the vertices each at distance 3, at 4 and FAR.
// FOR: n in 1, 7, 129, 200
// CALL: bfs_level(level=4, start=arange(n + 1) ** 2 // 10, to=rand:n ** 2 // 10:1:0..n - 1, distance=where(arange(n) * 7 % 3 == 2, 2**32 - 1, 3 + arange(n) * 7 % 3), found=[0])
// EXPECT: distance = where((distance > 4) * any((to == arange(n)[:, None]) * any((arange(n ** 2 // 10) >= start[:-1, None]) * (arange(n ** 2 // 10) < start[1:, None]) * (distance == 4)[:, None], axis=0), axis=1), 5, distance)
// BENCH: bfs_level(level=1, start=16 * arange(2**20 + 1), to=rand:2**24:1:0..2**20 - 1, distance=where(arange(2**20) % 2 == 0, 1, 2**32 - 1), found=[0])

const FAR: u32 = 0xffffffff;
const BLOCK: u32 = 256;
const LANES: u32 = 8;                   // of a vertex

kernel bfs_level(level: u32, vertices: u32, edges: u32, start: in u32[vertices + 1], to: in u32[edges],
                 distance: inout u32[vertices], found: inout u32[1])
    launch(block = BLOCK, grid = ceil_div(vertices, BLOCK / LANES))
{
    let tile = warp.tile<LANES>;
    let v = block.id.x * (BLOCK / LANES) + thread.x / LANES;
    var has_found = false;
    if (v < vertices && atomic.load(distance[v]) == level) {
        unroll(1) for (e in (start[v] + tile.rank..start[v + 1]).step(LANES)) {
            let neighbour = to[e];
            if (atomic.load(distance[neighbour]) == FAR) {
                atomic.store(distance[neighbour], level + 1);
                has_found = true;
            }
        }
    }
    // One write per block, because all blocks write to one address.
    if (block.any(has_found) && thread.x == 0) atomic.store(found[0], 1);
}
