// Reductions of a warp's or a tile's first values: a sum, or the smallest, of no other value.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: numbers<96,8>(n=5, y=zeros:96x6)
// EXPECT: y = [[sum(range(t // 32 * 32, t // 32 * 32 + 5)), t // 32 * 32, t // 8 * 8 + 4, -0.0, t // 32 * 32 + 4, 7] for t in range(96)]
// CALL: numbers<50,4>(n=9, y=zeros:50x6)
// EXPECT: y = [[sum(range(t // 32 * 32, t // 32 * 32 + 9)), t // 32 * 32, min(49, t // 4 * 4 + 3), -0.0, t // 32 * 32 + 8, 7] for t in range(50)]
kernel numbers<const B: u32, const G: u32>(n: u32, y: out f32[B, 6]) launch(block = B, grid = 1)
{
    let i = thread.rank;
    y[i, 0] = f32(warp.sum(u64(i), valid = n));
    y[i, 1] = warp.min(f32(i), valid = n);
    y[i, 2] = f32(warp.tile<G>.max(i32(i), valid = n));
    y[i, 3] = f32(warp.tile<G>.sum(warp.tile<G>.rank == 0 ? f16(-0.0) : 1, valid = 1));
    y[i, 4] = f32(warp.reduce(f64(i), max, valid = n));
    y[i, 5] = f32(warp.tile<G>.reduce(warp.tile<G>.rank == 0 ? u16(7) : 8, &, valid = 1));
}
export numbers<96, 8>, numbers<50, 4>;
