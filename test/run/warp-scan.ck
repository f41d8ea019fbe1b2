// Scans and reductions take any function; one that is not commutative keeps the order of the lanes.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: scans(n=40, k=zeros:40, m=zeros:40, p=zeros:40, t=zeros:40)
// EXPECT: k = [sum(range(i // 32 * 32, i + 1)) for i in range(40)]
// EXPECT: m = [100 + sum(range(i // 8 * 8, i)) for i in range(40)]
// EXPECT: p = [[496, 284][i // 32] for i in range(40)]
// EXPECT: t = [max(3 * j % 32 for j in range(i // 4 * 4, i // 4 * 4 + 4)) for i in range(40)]
kernel scans(n: u32, k: out u32[n], m: out u32[n], p: out u32[n], t: out f32[n])
    launch(block = n, grid = 1)
{
    let i = thread.rank;
    k[i] = warp.inclusive_scan(i, +);
    m[i] = warp.tile<8>.exclusive_scan(i, |a, b| a + b, 100);
    p[i] = warp.reduce(i, +);
    t[i] = warp.tile<4>.reduce(f32(3 * i % 32), max);
}
// An affine map x * a + b: composing two of them is not commutative.
// CALL: maps(n=44, y=zeros:44, z=zeros:44)
// EXPECT: y = [sum(j * prod([k % 3 + 1 for k in range(j + 1, e)]) for j in range(i // 32 * 32, e)) % 2**32 for i in range(44) for e in [min(44, i // 32 * 32 + 32)]]
// EXPECT: z = [sum(j * prod([k % 3 + 1 for k in range(j + 1, i + 1)]) for j in range(i // 16 * 16, i + 1)) % 2**32 for i in range(44)]
struct Map { a: u32; b: u32; }
fn then(p: Map, q: Map) -> Map = Map(p.a * q.a, p.b * q.a + q.b);
kernel maps(n: u32, y: out u32[n], z: out u32[n]) launch(block = n, grid = 1)
{
    let i = thread.rank;
    let f = Map(i % 3 + 1, i);
    y[i] = warp.reduce(f, then).b;
    z[i] = warp.tile<16>.inclusive_scan(f, then).b;
}
