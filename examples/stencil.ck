// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// stencil.ck - one step of heat flow on a grid with cold surroundings: each point approaches the
// mean of its four neighbours. A tile and its halo are read into shared memory once.
// CALL: stencil(rate=1, a=[[0, 4, 0], [4, 0, 4], [0, 4, 0]])
// EXPECT: b = [[2, 0, 2], [0, 4, 0], [2, 0, 2]]
// CALL: stencil(rate=0.5, a=rand:33x257)
// EXPECT: b = host
// FOR: r in 1, 15, 33
// FOR: c in 1, 16, 257
// CALL: stencil(rate=0.5, a=rand:r x c)
// EXPECT: b = a + 0.5 * (0.25 * (array([[0] * c, *a[:-1]]) + array([*a[1:], [0] * c]) + array([[0, *r[:-1]] for r in a]) + array([[*r[1:], 0] for r in a])) - a)
// CALL: stencil(rate=1, a=rand:1003x997)
// EXPECT: b = 0.25 * (array([[0] * 997, *a[:-1]]) + array([*a[1:], [0] * 997]) + array([[0, *r[:-1]] for r in a]) + array([[*r[1:], 0] for r in a]))

const TILE: u32 = 16;
const HALO: u32 = TILE + 2;             // one point more on each side
// BENCH: stencil(rate=0.5, a=rand:4096x4096) bytes = 8 * h * w

kernel stencil(h: u32, w: u32, rate: f32, a: in f32[h, w], b: out f32[h, w])
    launch(block = (TILE, TILE), grid = (ceil_div(w, TILE), ceil_div(h, TILE)))
{
    shared tile: f32[HALO, HALO];
    for (k in block.stride(HALO * HALO)) {
        // For the row and column before the first, the unsigned index wraps and is out of range.
        let (r, c) = (block.id.y * TILE + k / HALO - 1, block.id.x * TILE + k % HALO - 1);
        var value = 0.0;
        if (r < h && c < w) value = a[r, c];
        tile[k / HALO, k % HALO] = value;
    }
    block.sync();
    let (r, c) = (block.id.y * TILE + thread.y, block.id.x * TILE + thread.x);
    if (r < h && c < w) {
        let (y, x) = (thread.y + 1, thread.x + 1);
        let mean = 0.25 * (tile[y - 1, x] + tile[y + 1, x] + tile[y, x - 1] + tile[y, x + 1]);
        b[r, c] = tile[y, x] + rate * (mean - tile[y, x]);
    }
}
