// Reductions of arrays, and of the first values, in a warp and in a tile; the order of the values stays.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: maps<96,1,1,3,8>(n=17, y=zeros:96x4)
// EXPECT: y = [[sum((lo + k) * pow(3, n - 1 - k, 2**32) for k in range(n)) % 2**32 for lo, n in [[t // 32 * 96, min(96, 288 - t // 32 * 96)], [t // 8 * 24, min(24, 288 - t // 8 * 24)], [t // 32 * 96, min(17, 288 - t // 32 * 96)], [t // 8 * 8, min(8, 96 - t // 8 * 8)]]] for t in range(96)]
// CALL: maps<5,3,3,2,4>(n=3, y=zeros:45x4)
// EXPECT: y = [[sum((lo + k) * pow(3, n - 1 - k, 2**32) for k in range(n)) % 2**32 for lo, n in [[t // 32 * 64, min(64, 90 - t // 32 * 64)], [t // 4 * 8, min(8, 90 - t // 4 * 8)], [t // 32 * 64, min(3, 90 - t // 32 * 64)], [t // 4 * 4, min(3, 45 - t // 4 * 4)]]] for t in range(45)]
// CALL: maps<1,1,1,2,16>(n=1, y=zeros:1x4)
// EXPECT: y = [[sum((lo + k) * pow(3, n - 1 - k, 2**32) for k in range(n)) % 2**32 for lo, n in [[t // 32 * 64, min(64, 2 - t // 32 * 64)], [t // 16 * 32, min(32, 2 - t // 16 * 32)], [t // 32 * 64, min(1, 2 - t // 32 * 64)], [t // 16 * 16, min(1, 1 - t // 16 * 16)]]] for t in range(1)]
// x -> a * x + b; one after the other is not commutative.
struct Affine { a: u32; b: u32; }
fn then(f: Affine, g: Affine) -> Affine = Affine(f.a * g.a, f.b * g.a + g.b);
kernel maps<const X: u32, const Y: u32, const Z: u32, const N: u32, const G: u32>(n: u32, y: out u32[X * Y * Z, 4]) launch(block = (X, Y, Z), grid = 1)
{
    let i = thread.rank;
    var maps: Affine[N];
    unroll for (k in 0..N) maps[k] = Affine(3, i * N + k);
    y[i, 0] = warp.reduce(maps, then).b;
    y[i, 1] = warp.tile<G>.reduce(maps, then).b;
    y[i, 2] = warp.reduce(maps, then, valid = n).b;
    y[i, 3] = warp.tile<G>.reduce(Affine(3, i), then, valid = n).b;
}
export maps<96, 1, 1, 3, 8>, maps<5, 3, 3, 2, 4>, maps<1, 1, 1, 2, 16>;
