// Heads and tails at once, with and without neighbours beyond; differences of the first n items.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: ends<40,2>(n=80, y=zeros:80x8)
// EXPECT: y = [[i % 5 == 0, i % 5 == 4, i % 5 == 0 and i > 0, i % 5 == 4 and i < n - 1, i if i == 0 or i >= 9 else 7, 7 if i < 9 else i, 11 if i < 8 else i, i] for i in range(n)]
// CALL: ends<1,10>(n=10, y=zeros:10x8)
// EXPECT: y = [[i % 5 == 0, i % 5 == 4, i % 5 == 0 and i > 0, i % 5 == 4 and i < n - 1, i if i == 0 or i >= 9 else 7, 7 if i < 9 else i, 11 if i < 8 else i, i] for i in range(n)]
kernel ends<const B: u32, const N: u32>(n: u32, y: out u32[B * N, 8]) launch(block = B, grid = 1)
{
    var (items, runs) = (iota<N>(), iota<N>());
    for (k in 0..N) runs[k] /= 5;
    let (a, b) = block.heads_and_tails(runs, !=);
    let (c, d) = block.heads_and_tails(runs, !=, before = 0, after = (n - 1) / 5);
    let (e, f) = (block.heads_and_tails(runs, !=, before = 0), block.heads_and_tails(runs, !=, after = (n - 1) / 5));
    let left = block.adjacent_difference(items, |v, l| v - l + 6, valid = 9);
    let all = block.adjacent_difference(items, |v, l| v - l + 6, valid = 9, before = ~0u32);
    let right = block.adjacent_difference_right(items, |v, r| r - v + 10, valid = 9);
    let none = block.adjacent_difference_right(items, -, valid = 0);
    for (k in 0..N) {
        let i = thread.rank * N + k;
        (y[i, 0], y[i, 1], y[i, 2], y[i, 3]) = (u32(a[k]), u32(b[k]), u32(c[k]), u32(d[k]));
        if (e[0][k] != c[k] || e[1][k] != b[k] || f[0][k] != a[k] || f[1][k] != d[k]) y[i, 0] = 99;
        (y[i, 4], y[i, 5], y[i, 6], y[i, 7]) = (left[k], all[k], right[k], none[k]);
    }
}
fn iota<const N: u32>() -> u32[N] { var v: u32[N]; for (k in 0..N) v[k] = thread.rank * N + k; return v; }
export ends<40, 2>, ends<1, 10>;
