// The last warp of a block may have fewer lanes: those that are not there take no part.
// REQUIRES: ckc
// RUN: %run-test %s
// CALL: partial(n=45, s=zeros:45, u=zeros:45, v=zeros:45)
// EXPECT: s = [496 if i < 32 else 494 for i in range(45)]
// EXPECT: u = [i + 4 if i < 28 or 32 <= i < 41 else i for i in range(45)]
// EXPECT: v = [1 + (31 if i < 32 else 12) for i in range(45)]
kernel partial(n: u32, s: out f32[n], u: out u32[n], v: out u32[n]) launch(block = n, grid = 1)
{
    let i = thread.rank;
    s[i] = warp.sum(f32(i));
    u[i] = warp.shuffle_down(i, 4);
    v[i] = warp.sum(1u32) * u32(warp.all(true)) + u32(warp.mask == 0);
}
// CALL: tiles(n=5, s=zeros:5, u=zeros:5)
// EXPECT: s = [6, 6, 6, 6, 4]
// EXPECT: u = [3, 3, 3, 3, 4]
kernel tiles(n: u32, s: out i64[n], u: out u32[n]) launch(block = n, grid = 1)
{
    let t = warp.tile<4>;
    s[thread.x] = t.sum(i64(thread.x));
    u[thread.x] = t.shuffle(thread.x, 3);
}
