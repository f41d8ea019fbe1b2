// A tile is a group of some lanes of a warp, with the warp's operations.
// REQUIRES: ckc
// RUN: %run-test %s
// CALL: tile(y=zeros:32, f=zeros:32, b=zeros:32)
// EXPECT: y = [100 * (i % 8) + 10 * (i // 8) + 8 for i in range(32)]
// EXPECT: f = [28 + i // 8 * 64 + i // 8 * 8 + 7 for i in range(32)]
// EXPECT: b = [1000 * 10 + 100 * (i % 4 == 3) + (i - 1 if i % 2 else i) for i in range(32)]
kernel tile(y: out u32[32], f: out f32[32], b: inout u32[32]) launch(block = 32, grid = 1)
{
    let i = thread.rank;
    let t = warp.tile<8>;
    y[i] = 100 * t.rank + 10 * t.index + t.size;
    f[i] = t.sum(f32(i)) + f32(t.max(i));
    t.sync();
    b[i] = 1000 * warp.tile<4>.ballot(i % 2 == 1);
    if (warp.tile<4>.shuffle_down(t.rank, 1) == t.rank) b[i] += 100;
    b[i] += warp.tile<2>.shuffle_up(i, 1);
}
// CALL: more(y=zeros:32, z=zeros:32)
// EXPECT: y = [(i // 16 * 16 + 5) + 100 * (i // 16 == 0) + 1000 for i in range(32)]
// EXPECT: z = [(i ^ 2) + 256 * [5, 10][i % 2] + 4096 * (i >= 16) + 8192 for i in range(32)]
kernel more(y: out u32[32], z: inout u32[32]) launch(block = 32, grid = 1)
{
    let (i, h) = (thread.rank, thread.rank / 16);
    let t = warp.tile<16>;
    y[i] = t.broadcast(i, 5) + 100 * u32(t.match_all(h) && h == 0) + 1000 * t.sum(u32(t.elect()));
    z[i] = warp.tile<4>.shuffle_xor(i, 2) + 256 * warp.tile<4>.match_any(i % 2);
    z[i] += 4096 * u32(t.all(i >= 16)) + 8192 * u32(t.any(t.rank == 3));
}
