// Scans of segments: of a function that does not commute, each from its head on.
// REQUIRES: ckc, host
// RUN: %run-test %s
struct Affine { a: u32; b: u32; }                       // x -> a * x + b
fn then(f: Affine, g: Affine) -> Affine = Affine(f.a * g.a, f.b * g.a + g.b);
// CALL: scan<64,4>(n=256, x=iota:256, y=zeros:256x4)
// EXPECT: y = [[3**(j-i+1) % 2**32, sum(k * 3**(j-k) for k in range(i, j+1)) % 2**32, i < j and 3**(j-i) % 2**32, 3**(j-i) * 5 % 2**32] for j in range(n) for i in [max([0] + [h for h in range(j+1) if h % 31 % 12 == 3])]]
// CALL: scan<50,3>(n=150, x=iota:150, y=zeros:150x4)
// EXPECT: y = [[3**(j-i+1) % 2**32, sum(k * 3**(j-k) for k in range(i, j+1)) % 2**32, i < j and 3**(j-i) % 2**32, 3**(j-i) * 5 % 2**32] for j in range(n) for i in [max([0] + [h for h in range(j+1) if h % 31 % 12 == 3])]]
// CALL: scan<320,1>(n=320, x=iota:320, y=zeros:320x4)
// EXPECT: y = [[3**(j-i+1) % 2**32, sum(k * 3**(j-k) for k in range(i, j+1)) % 2**32, i < j and 3**(j-i) % 2**32, 3**(j-i) * 5 % 2**32] for j in range(n) for i in [max([0] + [h for h in range(j+1) if h % 31 % 12 == 3])]]
kernel scan<const B: u32, const N: u32>(n: u32, x: in u32[B * N], y: out u32[B * N, 4]) launch(block = B, grid = 1)
{
    let items = block.load(x, 0, N);
    var maps: Affine[N];
    var heads: bool[N];
    for (k in 0..N) (maps[k], heads[k]) = (Affine(3, items[k]), items[k] % 31 % 12 == 3);
    let a = block.segmented_inclusive_scan(maps, heads, then);
    let b = block.segmented_exclusive_scan<warp_scans>(maps, heads, then);
    let c = block.segmented_exclusive_scan(maps, heads, then, init = Affine(5, 0));
    for (k in 0..N) (y[items[k], 0], y[items[k], 1], y[items[k], 2], y[items[k], 3]) = (a[k].a, a[k].b, b[k].a, c[k].a);
}
export scan<64, 4>, scan<50, 3>, scan<320, 1>;
