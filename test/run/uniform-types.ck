// uniform(v) of each group takes values of every type that a shuffle takes.
// RUN: %run-test %s
struct Best { score: f32; at: u32; }

kernel uniform(n: u32, h: in f16[1], y: inout f32[64]) launch(block = 64, grid = 1)
{
    let half = block.uniform(h[0]);
    let pair = warp.uniform((n, 1.5));
    let best = block.uniform(Best(2, n));
    let v = grid.uniform(f32x2(1, 2));
    let a = cluster.uniform([1.0, 4]);
    let p = warp.uniform(address(y[0]));
    block.sync();
    p[thread.x] = f32(half) + f32(pair[0]) + best.score + f32(best.at) + v.y + a[1];
}
// CALL: uniform(n=3, h=[0.5], y=zeros:64)
// EXPECT: y = 14.5

kernel differs(y: out f32[64]) launch(block = 64, grid = 1)
{
    let best = block.uniform(Best(2, thread.x / 63));
    y[thread.x] = best.score;
}
// TAGS: no_gpu
// CALL: differs()
// EXPECT-ERROR: have different values, which are said to be uniform
