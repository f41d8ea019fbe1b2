// everything.ck - all that the language has, for every target.
const N: u32 = 4;
const M = N * 2 + 1;
const Z = 1e3;
static_assert(N == 4 && M > 8, "four");
fn twice<T: number = f32, const K: u32 = 2>(a: T, b: T[K]) -> T = a + b[0] * T(K);
fn both(c: in f32[], d: range<i32>, e: i64 = 5) -> (f32, u64) { for (i in d) { if (i == 3) return (c[i], c.len); } return (c[0], 1); }
fn fact(n: u32) -> u32 { if (n < 2) return 1; else return n * fact(n - 1); }
fn wait2() { block.sync(); warp.sync(); }
fn fill(o: out f32[], v: f32) { for (i in 0..o.len) o[i] = v; }
kernel k<const B: u32 = 128, T: float = f64>(n: u64, s: i32, p: bool, x: in f32[n, N], y: inout f64[], z: out u8[n, 2, 2], w: inout f32[])
    launch(block = (B, 2), grid = (ceil_div(n, 256), max(n, 2)), cluster = 1)
{
    shared t: f32[32, 33];
    let i = thread.rank;
    var q: f32;
    var arr: i32[4, 2];
    let (u, v) = (1, 2.5);
    var (g, h) = (u, v);
    (g, h) = (g, h);
    arr[1, 0] += 3; arr[0][1] <<= 2; arr[2, 1] /= g; q -= 1.5e3f32; ++g; g--;
    for (j in 0..n) { if (j > 3) break; else continue; }
    for (j: i64 in (0..10).step(3)) y[j] = f64(j) / 2.0;
    unroll for (j in block.stride(n)) z[j, 0, 1] = u8(j);
    for (j in grid.stride(i32(n))) { q += x[j, 1]; }
    let r = 3..s;
    for (j in r.step(2)) g += j;
    unroll(4) for (j in 0..8) t[j, i] = x[j, 2];
    while (q < 10.0 && !p || s != 0) q = q * 2 + (p ? 1.0 : q);
    comptime if (N > 3) { assert(q == q, "nan"); } else print("no");
    print("{} {:x} {:.3} {} {}", s, 2u8, f64(q), p, y[0]);
    if (q > inf) trap();
    if (s == 0x1F) return;
    let e = min(1, 2) + abs(-3) + clamp(s, 1, 2) | ~s & 3 ^ 1 << 2 >> 1 % 7;
    let f = sqrt(q) + fma(q, q, 1.0) + pow(q, 2.0);
    wait2(); fill(w, f32(e));
    y[0] = nan<f64>; y[1] = f64(fact(5)) + T(2);
    let (aa, bb) = both(w, 0..3); var ff: f32[2]; y[2] = f64(twice(q, ff) + aa) + f64(bb);
}
export k, k<64, f32>;
