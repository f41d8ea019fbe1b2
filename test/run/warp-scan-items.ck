// Scans of arrays in a warp and in a tile, with and without a value before the first; the order stays.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: scans<96,1,1,3,8>(y=zeros:288x4)
// EXPECT: y = [[(x * pow(3, n, 2**32) + sum((lo + k) * pow(3, n - 1 - k, 2**32) for k in range(n))) % 2**32 for lo, n, x in [[i // 96 * 96, i % 96 + 1, 0], [i // 24 * 24, i % 24, 0], [i // 24 * 24, i % 24 + 1, 5], [i // 96 * 96, i % 96, 5]]] for i in range(288)]
// CALL: scans<5,5,2,2,4>(y=zeros:100x4)
// EXPECT: y = [[(x * pow(3, n, 2**32) + sum((lo + k) * pow(3, n - 1 - k, 2**32) for k in range(n))) % 2**32 for lo, n, x in [[i // 64 * 64, i % 64 + 1, 0], [i // 8 * 8, i % 8, 0], [i // 8 * 8, i % 8 + 1, 5], [i // 64 * 64, i % 64, 5]]] for i in range(100)]
// CALL: scans<1,1,1,2,16>(y=zeros:2x4)
// EXPECT: y = [[(x * pow(3, n, 2**32) + sum((lo + k) * pow(3, n - 1 - k, 2**32) for k in range(n))) % 2**32 for lo, n, x in [[i // 64 * 64, i % 64 + 1, 0], [i // 32 * 32, i % 32, 0], [i // 32 * 32, i % 32 + 1, 5], [i // 64 * 64, i % 64, 5]]] for i in range(2)]
// x -> a * x + b; one after the other is not commutative.
struct Affine { a: u32; b: u32; }
fn then(f: Affine, g: Affine) -> Affine = Affine(f.a * g.a, f.b * g.a + g.b);
kernel scans<const X: u32, const Y: u32, const Z: u32, const N: u32, const G: u32>(y: out u32[X * Y * Z * N, 4]) launch(block = (X, Y, Z), grid = 1)
{
    let i = thread.rank;
    let t = warp.tile<G>;
    var maps: Affine[N];
    unroll for (k in 0..N) maps[k] = Affine(3, i * N + k);
    let (a, b) = (warp.inclusive_scan(maps, then), t.exclusive_scan(maps, then));
    let (c, d) = (t.inclusive_scan(maps, then, init = Affine(1, 5)), warp.exclusive_scan(maps, then, Affine(1, 5)));
    for (k in 0..N) (y[i * N + k, 0], y[i * N + k, 1], y[i * N + k, 2], y[i * N + k, 3]) = (a[k].b, b[k].b, c[k].b, d[k].b);
}
export scans<96, 1, 1, 3, 8>, scans<5, 5, 2, 2, 4>, scans<1, 1, 1, 2, 16>;
