// Votes and matches say what the lanes of a warp have in common.
// REQUIRES: ckc
// RUN: %run-test %s
// CALL: votes(y=zeros:64, m=zeros:64)
// EXPECT: y = [2 + 4 if i < 32 else 1 + 2 + 8 for i in range(64)]
// EXPECT: m = [[0x1111111100000000, 0x2222222200000000, 0x4444444400000000, 0x8888888800000000][i % 4] + (15 if i < 32 else 0) for i in range(64)]
kernel votes(y: inout u32[64], m: out u64[64]) launch(block = 64, grid = 1)
{
    let i = thread.rank;
    y[i] = u32(warp.all(i >= 32)) + 2 * u32(warp.any(i % 32 == 31));
    y[i] += 4 * u32(warp.match_all(u64(i < 32))) * u32(i < 32) + 8 * u32(warp.match_all(warp.rank)) * u32(i >= 32);
    m[i] = u64(warp.match_any(i % 4)) << 32 | u64(warp.ballot(i < 4));
}
// One lane is elected, and itself is among the active ones.
// CALL: elect(y=zeros:2)
// EXPECT: y = [1, 4294967295]
kernel elect(y: out u32[2]) launch(block = 32, grid = 1)
{
    let is_one = warp.elect();
    let elected = warp.sum(u32(is_one));
    let active = warp.ballot((warp.active_mask() >> warp.lane & 1) == 1);
    if (thread.rank == 0) {
        y[0] = elected;
        y[1] = active;
    }
}
