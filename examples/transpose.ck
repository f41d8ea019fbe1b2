// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose.ck - b = transpose of a, through a tile in shared memory, so that both global accesses
// are coalesced. The tile's rows are padded by one element, so that its columns are in 32 different
// banks.
// CALL: transpose(a=[[1, 2, 3], [4, 5, 6]])
// EXPECT: b = [[1, 4], [2, 5], [3, 6]]
// CALL: transpose(a=rand:100x257)
// EXPECT: b = host
// FOR: r in 1, 31, 33, 100
// FOR: c in 1, 32, 257
// CALL: transpose(a=rand:r x c)
// EXPECT: b = a.T
// CALL: transpose(a=rand:1003x997)
// EXPECT: b = a.T
// CALL: transpose<16>(a=rand:50x70)
// EXPECT: b = a.T
// BENCH: transpose(a=rand:4096x4096) bytes = 8 * h * w

kernel transpose<const T: u32 = 32>(h: u32, w: u32, a: in f32[h, w], b: out f32[w, h])
    launch(block = (T, 8), grid = (ceil_div(w, T), ceil_div(h, T)))
{
    shared tile: f32[T, T + 1];
    unroll for (j in (0..T).step(8)) {
        let (r, c) = (block.id.y * T + thread.y + j, block.id.x * T + thread.x);
        if (r < h && c < w) tile[thread.y + j, thread.x] = a[r, c];
    }
    block.sync();
    unroll for (j in (0..T).step(8)) {
        let (r, c) = (block.id.x * T + thread.y + j, block.id.y * T + thread.x);
        if (r < w && c < h) b[r, c] = tile[thread.x, thread.y + j];
    }
}
