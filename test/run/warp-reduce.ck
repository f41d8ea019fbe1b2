// A reduction gives all lanes of the warp the sum, the extremes or the joined bits.
// REQUIRES: ckc
// RUN: %run-test %s
// CALL: reduce(n=64, k=zeros:64, f=zeros:64, d=zeros:64)
// EXPECT: k = [[-496 - i // 32 * 1024, -31 - i // 32 * 32, -(i // 32 * 32), i // 32 * 32, 31 + i // 32 * 32, 0][i % 6] for i in range(64)]
// EXPECT: f = [[15.5 + i // 32 * 16, 248 + i // 32 * 512][i % 2] for i in range(64)]
// EXPECT: d = [1e12 * (31 + i // 32 * 32) for i in range(64)]
// TOLERANCE: exact
kernel reduce(n: u32, k: out i32[n], f: out f32[n], d: out f64[n]) launch(block = n, grid = 1)
{
    let i = thread.rank;
    let v = 0 - i32(i);
    let (a, b, c) = (warp.sum(v), warp.min(v), warp.max(v));
    let (p, q, r) = (warp.and(i), warp.or(i), warp.xor(i));
    let j = i % 6;
    k[i] = j == 0 ? a : j == 1 ? b : j == 2 ? c : i32(j == 3 ? p : j == 4 ? q : r);
    let (s, t) = (warp.sum(f32(i) * 0.5), warp.max(f32(i) * 0.5));
    f[i] = i % 2 == 0 ? t : s;
    d[i] = warp.max(1e12 * f64(i));
}
// 64 bits and 8 bits keep their width.
// CALL: wide(a=zeros:32, b=zeros:32)
// EXPECT: a = [32 * 2 ** 40] * 32
// EXPECT: b = [-16] * 32
kernel wide(a: out u64[32], b: out i8[32]) launch(block = 32, grid = 1)
{
    a[thread.x] = warp.sum(1u64 << 40);
    b[thread.x] = warp.sum(i8(thread.x));
}
