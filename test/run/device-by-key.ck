// RUN: %run-test %s
// Reductions of the runs of equal keys: of any length, by functions that don't commute.
struct Affine { a: u32; b: u32; }
fn then(f: Affine, g: Affine) -> Affine = Affine(g.a * f.a, g.a * f.b + g.b);
algorithm totals(n: u64, k: in i32[n], x: in i32[n], y: out i32[n], s: out i32[n]) -> u64 = reduce_by_key(k, x, +, y, s);
// Takes what one thread computes from the values.
fn subtract(k: in u8[], x: in u32[], s: inout u32[]) {
    var (run, count) = (Affine(1, 0), 0u64);
    for (i in 0..x.len) {
        run = then(run, Affine(x[i] | 1, x[i]));
        if (i + 1 < x.len && k[i] / 2 == k[min(i + 1, x.len - 1)] / 2) continue;
        s[count] -= run.b;
        (run, count) = (Affine(1, 0), count + 1);
    }
}
algorithm composed(n: u64, k: in u8[n], x: in u32[n], y: out u32[n], s: inout u32[n]) -> u64 {
    let ends = s.map_store(|f| f.b);
    let runs = reduce_by_key(k.map(|v| u32(v)), x.map(|v| Affine(v | 1, v)), then, y, ends, |a, b| a / 2 == b / 2);
    launch subtract(block = 1, grid = 1, k, x, s);
    return runs;
}
algorithm far(n: u64, k: in f64[n], x: in i64[n], y: out f64[n], s: out i64[n]) -> u64 = reduce_by_key(k, x, max, y, s);
// FOR: n in 0, 1, 31, 32, 33, 2047, 2048, 2049, 140000
// CALL: totals(k=arange(n) // 5, x=rand:n:3:0..99, y=zeros:n, s=zeros:n)
// EXPECT: y = where(arange(n) < (n + 4) // 5, arange(n), 0)
// EXPECT: s = [x[5 * i:5 * i + 5].sum() for i in range(n)]
// FOR: n in 0, 1, 700
// CALL: totals(k=rand:n:1:0..1, x=ones:n, y=zeros:n, s=zeros:n)
// EXPECT: s = [(cumsum([0, *(k[1:] != k[:-1])]) == j).sum() for j in range(n)]
// FOR: n in 0, 1, 3, 33, 1500, 5000
// CALL: composed(k=arange(n) // 700, x=iota:n, y=zeros:n, s=zeros:n)
// EXPECT: y = [*range(0, (n + 699) // 700, 2), *[0 for i in range(n) if i % 1400 > 0]]
// EXPECT: s = 0
// FOR: n in 1, 2000, 132000
// CALL: far(k=arange(n) // 100000, x=arange(n) * 7 % 1000, y=zeros:n, s=zeros:n)
// EXPECT: s[:2] = [*[max(x[:100000])], *[max(x[i:]) for i in range(100000, min(n, 100001))], *[0 for i in range(1, min(n, 2)) if n <= 100000]]
