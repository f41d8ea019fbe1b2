// Reductions of segments: at each head what its segment comes to; scans of a value a thread.
// REQUIRES: ckc, host
// RUN: %run-test %s
struct Digits { value: u64; power: u64; }
fn join(a: Digits, b: Digits) -> Digits = Digits(a.value * b.power + b.value, a.power * b.power);
// CALL: reduce<128,3>(n=384, y=zeros:384x2)
// EXPECT: y = [[sum(range(j, min([n] + [h for h in range(j+1, n) if h % 31 % 12 == 3]))) if j == 0 or j % 31 % 12 == 3 else 0] * 2 for j in range(n)]
// CALL: reduce<40,5>(n=200, y=zeros:200x2)
// EXPECT: y = [[sum(range(j, min([n] + [h for h in range(j+1, n) if h % 31 % 12 == 3]))) if j == 0 or j % 31 % 12 == 3 else 0] * 2 for j in range(n)]
// CALL: reduce<1,16>(n=16, y=zeros:16x2)
// EXPECT: y = [[sum(range(j, min([n] + [h for h in range(j+1, n) if h % 31 % 12 == 3]))) if j == 0 or j % 31 % 12 == 3 else 0] * 2 for j in range(n)]
kernel reduce<const B: u32, const N: u32>(n: u32, y: out f64[B * N, 2]) launch(block = B, grid = 1)
{
    let items = block.load(count<f64>(), 0, N);
    var heads: bool[N];
    for (k in 0..N) heads[k] = u32(items[k]) % 31 % 12 == 3;
    let (a, b) = (block.segmented_reduce(items, heads, +), block.segmented_reduce<raking>(items, heads, +));
    for (k in 0..N) (y[thread.rank * N + k, 0], y[thread.rank * N + k, 1]) = (a[k], b[k]);
}
// CALL: digits(y=zeros:80x3)
// EXPECT: y = [[123456789 // 10**(8 - j % 9), 7 * 10**(j % 9) + 123456789 // 10**(9 - j % 9), 123456789 // 10**max(j - 71, 0) if j % 9 == 0 else 0] for j in range(80)]
kernel digits(y: out u64[80, 3]) launch(block = (8, 5, 2), grid = 1)
{
    let i = thread.rank;
    let digit = Digits(u64(i % 9 + 1), 10);
    y[i, 0] = block.segmented_inclusive_scan(digit, i % 9 == 0, join).value;
    y[i, 1] = block.segmented_exclusive_scan(digit, i % 9 == 0, join, init = Digits(7, 1)).value;
    y[i, 2] = block.segmented_reduce(digit, i % 9 == 0, join).value;
}
export reduce<128, 3>, reduce<40, 5>, reduce<1, 16>;
