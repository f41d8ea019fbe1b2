// A warp's and a tile's items, in each arrangement; what lies behind the end is the default, and not stored.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: tiles<96,4,8,0>(x=iota:300, y=zeros:300, z=zeros:96x4, w=zeros:96x4)
// EXPECT: y = x + 1
// EXPECT: z = [[(4 * t + k if 4 * t + k < 300 else 7) for k in range(4)] for t in range(96)]
// EXPECT: w = [[(8 * t + 2 * k if 4 * t + k < 300 else -5) for k in range(4)] for t in range(96)]
// CALL: tiles<50,3,4,1>(x=iota:150, y=zeros:150, z=zeros:50x3, w=zeros:50x3)
// EXPECT: y = x + 1
// EXPECT: z = [[t // 32 * 96 + t % 32 + [32, 18][t // 32] * k for k in range(3)] for t in range(50)]
// EXPECT: w = [[2 * (t // 4 * 12 + t % 4 + (4 if t < 48 else 2) * k) for k in range(3)] for t in range(50)]
// CALL: tiles<64,8,16,3>(x=iota:500, y=zeros:500, z=zeros:64x8, w=zeros:64x8)
// EXPECT: y = x + 1
// EXPECT: z = [[(8 * t + k if 8 * t + k < 500 else 7) for k in range(8)] for t in range(64)]
// EXPECT: w = [[(16 * t + 2 * k if 8 * t + k < 500 else -5) for k in range(8)] for t in range(64)]
// CALL: tiles<45,5,2,4>(x=iota:220, y=zeros:220, z=zeros:45x5, w=zeros:45x5)
// EXPECT: y = x + 1
// EXPECT: z = [[(5 * t + k if 5 * t + k < 220 else 7) for k in range(5)] for t in range(45)]
// EXPECT: w = [[(10 * t + 2 * k if 5 * t + k < 220 else -5) for k in range(5)] for t in range(45)]
kernel tiles<const B: u32, const N: u32, const G: u32, const HOW: u32>(n: u64, x: in f32[n], y: inout f32[n], z: out f32[B, N], w: out f16[B, N]) launch(block = B, grid = 1)
{
    let t = warp.tile<G>;
    let base = (thread.rank - t.rank) * N;
    let a = warp.load<HOW>(x, warp.rank * 32 * N, N, default = 7);
    let b = t.load<HOW>(x.map(|v| f16(v * 2)), base, N, default = -5);
    for (k in 0..N) (z[thread.rank, k], w[thread.rank, k]) = (a[k], b[k]);
    var items = t.load<HOW>(x, base, N);
    for (k in 0..N) items[k] += 1;
    if (warp.rank == 0) t.store<HOW>(y, base, items);
    else warp.store<HOW>(y, warp.rank * 32 * N, warp.load<HOW>(x.map(|v| v + 1), warp.rank * 32 * N, N));
}
export tiles<96, 4, 8, blocked>, tiles<50, 3, 4, striped>, tiles<64, 8, 16, vectorized>, tiles<45, 5, 2, transpose>;
