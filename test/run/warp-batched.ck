// Several reductions at once, in a warp and in a tile: item k of all lanes comes to lane k, in order.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: batch<64,1,1,8,8>(y=zeros:64, z=zeros:64)
// EXPECT: y = [[sum((j * 8 + k) * pow(3, b - 1 - j, 2**32) for j in range(a, b)) % 2**32 for k, a, b in [[t % 32, t // 32 * 32, min(64, t // 32 * 32 + 32)]]][0] if t % 32 < 8 else 0 for t in range(64)]
// EXPECT: z = [[sum((j * 8 + k) * pow(3, b - 1 - j, 2**32) for j in range(a, b)) % 2**32 for k, a, b in [[t % 8, t // 8 * 8, min(64, t // 8 * 8 + 8)]]][0] if t % 8 < 8 else 0 for t in range(64)]
// CALL: batch<96,1,1,5,16>(y=zeros:96, z=zeros:96)
// EXPECT: y = [[sum((j * 5 + k) * pow(3, b - 1 - j, 2**32) for j in range(a, b)) % 2**32 for k, a, b in [[t % 32, t // 32 * 32, min(96, t // 32 * 32 + 32)]]][0] if t % 32 < 5 else 0 for t in range(96)]
// EXPECT: z = [[sum((j * 5 + k) * pow(3, b - 1 - j, 2**32) for j in range(a, b)) % 2**32 for k, a, b in [[t % 16, t // 16 * 16, min(96, t // 16 * 16 + 16)]]][0] if t % 16 < 5 else 0 for t in range(96)]
// CALL: batch<8,4,2,1,2>(y=zeros:64, z=zeros:64)
// EXPECT: y = [[sum((j * 1 + k) * pow(3, b - 1 - j, 2**32) for j in range(a, b)) % 2**32 for k, a, b in [[t % 32, t // 32 * 32, min(64, t // 32 * 32 + 32)]]][0] if t % 32 < 1 else 0 for t in range(64)]
// EXPECT: z = [[sum((j * 1 + k) * pow(3, b - 1 - j, 2**32) for j in range(a, b)) % 2**32 for k, a, b in [[t % 2, t // 2 * 2, min(64, t // 2 * 2 + 2)]]][0] if t % 2 < 1 else 0 for t in range(64)]
// CALL: batch<5,5,2,3,4>(y=zeros:50, z=zeros:50)
// EXPECT: y = [[sum((j * 3 + k) * pow(3, b - 1 - j, 2**32) for j in range(a, b)) % 2**32 for k, a, b in [[t % 32, t // 32 * 32, min(50, t // 32 * 32 + 32)]]][0] if t % 32 < 3 else 0 for t in range(50)]
// EXPECT: z = [[sum((j * 3 + k) * pow(3, b - 1 - j, 2**32) for j in range(a, b)) % 2**32 for k, a, b in [[t % 4, t // 4 * 4, min(50, t // 4 * 4 + 4)]]][0] if t % 4 < 3 else 0 for t in range(50)]
// CALL: batch<1,1,1,1,32>(y=zeros:1, z=zeros:1)
// EXPECT: y = [[sum((j * 1 + k) * pow(3, b - 1 - j, 2**32) for j in range(a, b)) % 2**32 for k, a, b in [[t % 32, t // 32 * 32, min(1, t // 32 * 32 + 32)]]][0] if t % 32 < 1 else 0 for t in range(1)]
// EXPECT: z = [[sum((j * 1 + k) * pow(3, b - 1 - j, 2**32) for j in range(a, b)) % 2**32 for k, a, b in [[t % 32, t // 32 * 32, min(1, t // 32 * 32 + 32)]]][0] if t % 32 < 1 else 0 for t in range(1)]
// x -> a * x + b; one after the other is not commutative.
struct Affine { a: u32; b: u32; }
fn then(f: Affine, g: Affine) -> Affine = Affine(f.a * g.a, f.b * g.a + g.b);
kernel batch<const X: u32, const Y: u32, const Z: u32, const N: u32, const G: u32>(y: out u32[X * Y * Z], z: out u32[X * Y * Z]) launch(block = (X, Y, Z), grid = 1)
{
    let i = thread.rank;
    let t = warp.tile<G>;
    var maps: Affine[N];
    unroll for (k in 0..N) maps[k] = Affine(3, i * N + k);
    let (a, b) = (warp.reduce_batched(maps, then), t.reduce_batched(maps, then));
    y[i] = warp.lane < N ? a.b : 0;
    z[i] = t.rank < N ? b.b : 0;
}
// CALL: columns(x=rand:64x32, y=zeros:64)
// EXPECT: y = np.concatenate([np.max(x[:32], axis=0), np.max(x[32:], axis=0)])
kernel columns(x: in f16[64, 32], y: out f16[64]) launch(block = 64, grid = 1)
{
    var row: f16[32];
    for (k in 0..32) row[k] = x[thread.rank, k];
    y[thread.rank] = warp.reduce_batched(row, |a, b| a > b ? a : b);
}
export batch<64, 1, 1, 8, 8>, batch<96, 1, 1, 5, 16>, batch<8, 4, 2, 1, 2>, batch<5, 5, 2, 3, 4>, batch<1, 1, 1, 1, 32>;
