// A value that is said to be uniform is checked on the host device.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: block_wide(x=[3] * 64)
// EXPECT: x = [4] * 64
// TAGS: no_gpu
// CALL: block_wide(x=[3] * 63 + [2])
// EXPECT-ERROR: threads [0,0,0] and [63,0,0] have different values, which are said to be uniform, at line 11
kernel block_wide(x: inout i32[64]) launch(block = 64, grid = 1)
{
    if (block.uniform(x[thread.x]) == 3) block.sync();
    x[thread.x] += 1;
}
// CALL: warp_wide(x=[3] * 32 + [2] * 32)
// EXPECT: x = [4] * 32 + [3] * 32
kernel warp_wide(x: inout i32[64]) launch(block = 64, grid = 1)
{
    if (warp.uniform(x[thread.x]) == 3) warp.sync();
    x[thread.x] += 1;
}
// CALL: tile_wide(x=[3] * 8 + [2] * 56)
// EXPECT: x = [4] * 8 + [3] * 56
// TAGS: no_gpu
// CALL: tile_wide(x=[3] * 7 + [2] * 57)
// EXPECT-ERROR: threads [0,0,0] and [7,0,0] have different values, which are said to be uniform, at line 29
kernel tile_wide(x: inout i32[64]) launch(block = 64, grid = 1)
{
    let t = warp.tile<8>;
    if (t.uniform(x[thread.x]) == 3) t.sync();
    x[thread.x] += 1;
}
