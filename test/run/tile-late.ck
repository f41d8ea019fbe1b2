// Lanes that come late to a tile's shuffle still meet the block's barrier behind it.
// REQUIRES: ckc
// RUN: %run-test %s
// CALL: late(x=[(7 * i * i + 3 * i) % 251 + 1 for i in range(128)], s=5, least=[65535] * 8, kept=zeros:128, y=zeros:128)
// EXPECT: least = [65535, 1] + [65535] * 6
// EXPECT: y = [(7 * t[3]**2 + 3 * t[3]) % 251 - 1008 + 1000 * sum((2**40 + j) % ((7 * j * j + 3 * j) % 251 + 1) for j in t) for i in range(128) for t in [range(i // 8 * 8, i // 8 * 8 + 8)]]
kernel late(x: in u32[128], s: u32, least: inout u16[8], kept: inout i64[128], y: out i64[128])
    launch(block = 64, grid = 2)
{
    let i = u32(grid.thread_rank);
    let old = i64(x[i]) + atomic.min(kept[i], -1009 * i64(i % 2), scope = block);
    atomic.min(least[1], u16(x[i]));
    let first = warp.tile<8>.shuffle(u64(x[i]) << (s << 1), 3);
    let sum = warp.tile<8>.sum(((u64(1) << (8 * s)) + i) % x[i]);
    block.sync();
    let third = warp.tile<8>.shuffle(old + kept[i], 3);
    y[i] = third + 1000 * i64(sum) + i64(first % 2);
}
