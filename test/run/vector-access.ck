// x.load<N>(i) and x.store(i, v) take N elements of a span or array of scalars as a vector.
// RUN: %run-test %s
// CALL: k(n=8, x=iota:32, y=zeros:32, u=rand:8x16, z=zeros:2x16, m=zeros:32)
// EXPECT: y = (x.reshape(8, 4)[:, ::-1] * 2).reshape(32)
// EXPECT: z = u[1:3] + 1
// EXPECT: m = [[v % 3 == 0 for v in range(8 * (t % 4), 8 * (t % 4) + 8)] for t in range(4)]
kernel k(n: u32, x: in f32[4 * n], y: out f32[4 * n], u: in u8[8, 16], z: out u8[2, 16], m: out bool[32])
    launch(block = 8, grid = 1)
{
    shared tile: f32[32];
    let t = thread.x;
    tile.store(4 * t, x.load<4>(4 * t) * 2);
    block.sync();
    y.store(4 * t, tile.load<4>(4 * t).wzyx);
    if (t < 2) z.store(t, 0, u.load<16>(t + 1, 0) + 1);
    var third: bool[8];
    for (i in 0..8) third[i] = (8 * t + u32(i)) % 3 == 0;
    if (t < 4) m.store(8 * t, third.load<8>(0));
}
