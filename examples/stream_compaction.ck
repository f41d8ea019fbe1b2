// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// stream_compaction.ck - the elements above a limit, in their order, in one pass. Each block
// compacts its tile in shared memory, and finds its output position by decoupled look-back at the
// tiles before it (Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back,
// 2016). Each element is read once, each kept one is written once: 4 bytes each, and 24 a tile.
// CALL: stream_compaction(limit=2, x=[3, 1, 2, 5, 4], tiles=zeros:1)
// EXPECT: y = [3, 5, 4, 0, 0]
// EXPECT: kept = 3
// FOR: n in 1, 1023, 100003
// FOR: limit in -2, 0, 0.9
// CALL: stream_compaction(limit=limit, x=rand:n, tiles=zeros:((n + 1023) // 1024))
// EXPECT: y = [*[v for v in x if v > limit], *[0] * sum(x <= limit)]
// EXPECT: kept = (x > limit).sum()

const BLOCK: u32 = 128;
const ITEMS: u32 = 8;
const TILE: u32 = BLOCK * ITEMS;

// What a tile publishes: its own count (OWN), or the count up to its end (UPTO); 0 if nothing yet.
// Flag and count are one word, so no memory ordering is needed.
const OWN = 1u64 << 62;
const UPTO = 1u64 << 63;
const COUNT = OWN - 1;

// The number of elements kept in all tiles before a tile that keeps `own`. A warp inspects 32 tiles
// at a time. As in CUB, it relies on blocks starting in the order of their numbers, so that every
// tile it waits for is running.
fn look_back(tiles: inout u64[], tile: u64, own: u64) -> u64 {
    if (warp.lane == 0) atomic.store(tiles[tile], own | (tile == 0 ? UPTO : OWN));
    var (before, end, is_done) = (0u64, tile, tile == 0);
    while (!is_done) {
        let back = u64(warp.lane) + 1;
        var told = UPTO;                            // before the first tile: none
        if (back <= end) told = atomic.load(tiles[end - back]);
        if (warp.any(told == 0)) continue;
        let last = ctz(warp.ballot(told >= UPTO));  // 32: none
        before += warp.sum(warp.lane <= last ? told & COUNT : 0);
        is_done = last < 32;
        end -= 32;
    }
    if (warp.lane == 0) atomic.store(tiles[tile], before + own | UPTO);
    return before;
}

// `tiles` must be zero initially.
kernel stream_compaction(n: u64, limit: f32, x: in f32[n], y: out f32[n], kept: out u64[1],
                         tiles: inout u64[ceil_div(n, TILE)])
    launch(block = BLOCK, grid = ceil_div(n, TILE))
{
    shared start: u64[1];
    let items = block.load<vectorized>(x, block.rank * TILE, ITEMS, default = limit);
    var keep: bool[ITEMS];
    unroll for (k in 0..ITEMS) keep[k] = items[k] > limit;
    let (mine, count) = block.compact<striped>(items, keep);
    if (warp.rank == 0) {
        let before = look_back(tiles, block.rank, u64(count));
        if (warp.lane == 0) start[0] = before;
        if (warp.lane == 0 && block.rank == tiles.len - 1) kept[0] = before + u64(count);
    }
    block.sync();
    block.store<striped>(y, start[0], mine, valid = count);
}
