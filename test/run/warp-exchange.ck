// Items change hands within a warp and within a tile: each arrangement and back, of rows of 16 bytes and of others.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: exchange<8,4,2,4,8>(y=zeros:64x4, z=zeros:64x4, w=zeros:64x4)
// EXPECT: y = [[t // 32 * 128 + t % 32 + 32 * k for k in range(4)] for t in range(64)]
// EXPECT: z = [[t // 8 * 32 + t % 8 + 8 * k for k in range(4)] for t in range(64)]
// EXPECT: w = [[4 * t + k for k in range(4)] for t in range(64)]
// CALL: exchange<50,1,1,8,2>(y=zeros:50x8, z=zeros:50x8, w=zeros:50x8)
// EXPECT: y = [[t // 32 * 256 + t % 32 + [32, 18][t // 32] * k for k in range(8)] for t in range(50)]
// EXPECT: z = [[t // 2 * 16 + t % 2 + 2 * k for k in range(8)] for t in range(50)]
// EXPECT: w = [[8 * t + k for k in range(8)] for t in range(50)]
// CALL: exchange<5,3,3,3,4>(y=zeros:45x3, z=zeros:45x3, w=zeros:45x3)
// EXPECT: y = [[t // 32 * 96 + t % 32 + [32, 13][t // 32] * k for k in range(3)] for t in range(45)]
// EXPECT: z = [[t // 4 * 12 + t % 4 + (1 if t == 44 else 4) * k for k in range(3)] for t in range(45)]
// EXPECT: w = [[3 * t + k for k in range(3)] for t in range(45)]
// CALL: exchange<1,1,1,2,16>(y=zeros:1x2, z=zeros:1x2, w=zeros:1x2)
// EXPECT: z = [[0, 1]]
// EXPECT: w = [[0, 1]]
kernel exchange<const X: u32, const Y: u32, const Z: u32, const N: u32, const G: u32>(y: out u32[X * Y * Z, N], z: out u64[X * Y * Z, N], w: out u16[X * Y * Z, N])
    launch(block = (X, Y, Z), grid = 1)
{
    let t = warp.tile<G>;
    let i = thread.rank;
    var a: u32[N];
    var b: u64[N];
    unroll for (k in 0..N) (a[k], b[k]) = (i * N + k, u64(i * N + k));
    a = warp.exchange<blocked_to_striped>(a);
    b = t.exchange<blocked_to_striped>(b);
    for (k in 0..N) (y[i, k], z[i, k]) = (a[k], b[k]);
    a = warp.exchange<striped_to_blocked>(a);
    b = t.exchange<striped_to_blocked>(b);
    for (k in 0..N) w[i, k] = u64(a[k]) == b[k] ? u16(a[k]) : 9999;
}
export exchange<8, 4, 2, 4, 8>, exchange<50, 1, 1, 8, 2>, exchange<5, 3, 3, 3, 4>, exchange<1, 1, 1, 2, 16>;
