// tensor_map.ck: a matrix transposed, tile by tile: a GPU's copy engine (sm_90) loads each tile
// into shared memory, with zeros for elements outside of the matrix.

kernel transpose_by_map(h: u32, w: u32, x: tensor_map<2, f32>, y: out f32[w, h])
    launch(block = (32, 8), grid = (ceil_div(w, 32), ceil_div(h, 32)))
{
    shared tile: f32[32, 32];
    let (row, column) = (block.id.y * 32, block.id.x * 32);
    // all threads call it; the tile is complete when it returns
    block.load_tensor(tile, x, row, column);
    for (j in (thread.y..32).step(8))
        if (column + j < w && row + thread.x < h) y[column + j, row + thread.x] = tile[thread.x, j];
}
