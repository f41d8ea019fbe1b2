// Reductions side by side: one for each item, of a function that does not commute too.
// REQUIRES: ckc, host
// RUN: %run-test %s
struct Affine { a: u32; b: u32; at: u64; }              // x -> a * x + b
fn then(f: Affine, g: Affine) -> Affine = Affine(f.a * g.a, f.b * g.a + g.b, f.at + g.at);
// CALL: batched<256,5>(n=256, y=zeros:5x4)
// EXPECT: y = [[n * (n - 1) // 2 + k * n, max(i * 37 % 101 + k for i in range(n)), pow(3, n, 2**32), sum((i + k) * pow(3, n-1-i, 2**32) for i in range(n)) % 2**32] for k in range(5)]
// CALL: batched<32,16>(n=32, y=zeros:16x4)
// EXPECT: y = [[n * (n - 1) // 2 + k * n, max(i * 37 % 101 + k for i in range(n)), pow(3, n, 2**32), sum((i + k) * pow(3, n-1-i, 2**32) for i in range(n)) % 2**32] for k in range(16)]
// CALL: batched<96,1>(n=96, y=zeros:1x4)
// EXPECT: y = [[n * (n - 1) // 2 + k * n, max(i * 37 % 101 + k for i in range(n)), pow(3, n, 2**32), sum((i + k) * pow(3, n-1-i, 2**32) for i in range(n)) % 2**32] for k in range(1)]
// CALL: batched<80,3>(n=80, y=zeros:3x4)
// EXPECT: y = [[n * (n - 1) // 2 + k * n, max(i * 37 % 101 + k for i in range(n)), pow(3, n, 2**32), sum((i + k) * pow(3, n-1-i, 2**32) for i in range(n)) % 2**32] for k in range(3)]
// CALL: batched<1,7>(n=1, y=zeros:7x4)
// EXPECT: y = [[k, k, 3, k] for k in range(7)]
kernel batched<const B: u32, const N: u32>(n: u32, y: out f64[N, 4]) launch(block = B, grid = 1)
{
    let t = thread.rank;
    var (a, b) = (sums<N>(), sums<N>());
    var maps: Affine[N];
    for (k in 0..N) (b[k], maps[k]) = (f32(t * 37 % 101 + k), Affine(3, t + k, 1));
    let (sum, most, map) = (block.reduce_batched(a, +), block.reduce_batched(b, max), block.reduce_batched(maps, then));
    if (t == n - 1) {
        for (k in 0..N) (y[k, 0], y[k, 1], y[k, 2], y[k, 3]) = (sum[k], most[k], f64(map[k].a), map[k].at == u64(n) ? f64(map[k].b) : 0);
    }
}
fn sums<const N: u32>() -> f32[N] { var v: f32[N]; for (k in 0..N) v[k] = f32(thread.rank + k); return v; }
export batched<256, 5>, batched<32, 16>, batched<96, 1>, batched<80, 3>, batched<1, 7>;
