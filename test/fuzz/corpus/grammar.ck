// grammar.ck - every construct of the grammar, those too that the compiler does not take yet.
import "x.ck";
const N: u32 = 4; const M = N * 2 + 1; const Z = 1e3;
static_assert(N == 4, "four");
struct P<T: type> { lo: f32; hi: f32 = 1.0; fn sum() -> f32 = lo + hi; }
algorithm a(n: u64, x: in f32[n]) -> f32 = reduce(x.map(|v, w: f32| v * w), +, 0);
@require(sm >= 90)
fn f<T: number = f32, const K: u32 = 2>(a: T, b: T[K], c: in f32[], d: range<i32>) -> (T, T) { return (a, b[0]); }
fn block.thing() { block.sync(); }
fn grid.dim.w -> u32 = 1;
kernel k<const B: u32 = 128>(n: u64, s: i32, p: bool, x: in f32[n, N], y: inout f64[], z: out u8[n, 2, 2])
    launch(block = (B, 2), grid = (ceil_div(n, 256), max(n, 2)), cluster = 2)
{
    shared t: f32[32, 33];
    let i = thread.rank; var q: f32; var arr: i32[4, 2];
    let (u, v) = (1, 2.5);
    var (g, h) = (u, v);
    (g, h) = (g + 1, h * 2);
    arr[1, 0] += 3; arr[0][1] <<= 2; q -= 1.5e3f32; ++g; g--;
    for (j in 0..n) { if (j > 3) break; else continue; }
    for (j: i64 in (0..10).step(3)) y[j] = f64(j) / 2.0;
    unroll for (j in block.stride(n)) z[j, 0, 1] = u8(j);
    unroll(4) for (j in 0..8) t[j, i] = x[j, 2] ;
    while (q < 10.0 && !p || s != 0 ) q = q * 2 + (p ? 1.0 : q);
    comptime if (N > 3) { assert(q == q, "nan"); } else print("no {} {:x} {:.3}\n", 1, 2u8, 3.0);
    print("{} {}", q, true); if (q > inf) trap(); if (s == 0x1F) return;
    let e = min(1, 2) + abs(-3) + clamp(s, 1, 2) | ~s & 3 ^ 1 << 2 >> 1 % 7;
    let w = sqrt(q) + fma(q, q, 1.0) + pow(q, 2.0); fast { w };
    y[0] = nan<f64>; let [1,2];
}
export k, k<64>;
