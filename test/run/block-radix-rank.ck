// Ranks of digits, ascending and descending, and how many items stand before each digit.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: rank<64,2,4>(n=128, y=zeros:16x2, r=zeros:128x2)
// EXPECT: y = [[sum(i % 13 < d for i in range(n)), sum(i % 13 > d for i in range(n))] for d in range(16)]
// EXPECT: r = [[sum(j % 13 * n + j < i % 13 * n + i for j in range(n)), sum(-(j % 13) * n + j < -(i % 13) * n + i for j in range(n))] for i in range(n)]
// CALL: rank<50,3,8>(n=150, y=zeros:256x2, r=zeros:150x2)
// EXPECT: y = [[sum(i % 13 < d for i in range(n)), sum(i % 13 > d for i in range(n))] for d in range(256)]
// EXPECT: r = [[sum(j % 13 * n + j < i % 13 * n + i for j in range(n)), sum(-(j % 13) * n + j < -(i % 13) * n + i for j in range(n))] for i in range(n)]
// CALL: rank<1,5,5>(n=5, y=zeros:32x2, r=zeros:5x2)
// EXPECT: y = [[sum(i < d for i in range(n)), sum(i > d for i in range(n))] for d in range(32)]
// EXPECT: r = [[i, 4 - i] for i in range(5)]
kernel rank<const B: u32, const N: u32, const BITS: u32>(n: u32, y: out u32[1 << BITS, 2], r: out u32[B * N, 2]) launch(block = B, grid = 1)
{
    const M = ((1 << BITS) + B - 1) / B;
    let items = block.load<warp_striped>(count<u32>(), 0, N);
    var digits: u32[N];
    for (k in 0..N) digits[k] = items[k] % 13;
    let (up, before) = block.radix_rank_prefix<BITS>(digits);
    let (down, behind) = block.radix_rank_prefix<BITS>(digits, descending = true);
    let (a, b) = (block.radix_rank<BITS>(digits), block.radix_rank<BITS>(digits, descending = true));
    for (k in 0..N) (r[items[k], 0], r[items[k], 1]) = (a[k] == up[k] ? up[k] : 999, b[k] == down[k] ? down[k] : 999);
    for (j in 0..M) {
        let digit = thread.rank * M + j;
        if (digit < 1 << BITS) (y[digit, 0], y[digit, 1]) = (before[j], behind[j]);
    }
}
export rank<64, 2, 4>, rank<50, 3, 8>, rank<1, 5, 5>;
