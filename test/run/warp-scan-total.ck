// Scans that give the total too, of all values or of the first ones.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: totals<96,8>(n=12, y=zeros:96x6, z=zeros:96x4)
// EXPECT: y = [[sum(range(t // 8 * 8, t + 1)), sum(range(t // 8 * 8, min(96, t // 8 * 8 + 8))), sum(range(t // 32 * 32, t)), sum(range(t // 32 * 32, min(96, t // 32 * 32 + 32))), sum(range(t // 32 * 32, t)) - 7, sum(range(t // 32 * 32, min(96, t // 32 * 32 + 32)))] for t in range(96)]
// EXPECT: z = [[(max(range(t // 32 * 32, t + 1)) if t % 32 < 12 else 0), min(95, t // 32 * 32 + 11), (sum(range(t // 8 * 16, 2 * t)) if t % 8 < 6 else 0), sum(range(t // 8 * 16, min(192, t // 8 * 16 + min(16, 12))))] for t in range(96)]
// CALL: totals<50,4>(n=5, y=zeros:50x6, z=zeros:50x4)
// EXPECT: y = [[sum(range(t // 4 * 4, t + 1)), sum(range(t // 4 * 4, min(50, t // 4 * 4 + 4))), sum(range(t // 32 * 32, t)), sum(range(t // 32 * 32, min(50, t // 32 * 32 + 32))), sum(range(t // 32 * 32, t)) - 7, sum(range(t // 32 * 32, min(50, t // 32 * 32 + 32)))] for t in range(50)]
// EXPECT: z = [[(max(range(t // 32 * 32, t + 1)) if t % 32 < 5 else 0), min(49, t // 32 * 32 + 4), (sum(range(t // 4 * 8, 2 * t)) if t % 4 < 2 else 0), sum(range(t // 4 * 8, min(100, t // 4 * 8 + min(8, 5))))] for t in range(50)]
// CALL: totals<1,2>(n=1, y=zeros:1x6, z=zeros:1x4)
// EXPECT: y = [[sum(range(t // 2 * 2, t + 1)), sum(range(t // 2 * 2, min(1, t // 2 * 2 + 2))), sum(range(t // 32 * 32, t)), sum(range(t // 32 * 32, min(1, t // 32 * 32 + 32))), sum(range(t // 32 * 32, t)) - 7, sum(range(t // 32 * 32, min(1, t // 32 * 32 + 32)))] for t in range(1)]
// EXPECT: z = [[(max(range(t // 32 * 32, t + 1)) if t % 32 < 1 else 0), min(0, t // 32 * 32 + 0), (sum(range(t // 2 * 4, 2 * t)) if t % 2 < 0 else 0), sum(range(t // 2 * 4, min(2, t // 2 * 4 + min(4, 1))))] for t in range(1)]
kernel totals<const B: u32, const G: u32>(n: u32, y: out i64[B, 6], z: out f64[B, 4]) launch(block = B, grid = 1)
{
    let i = thread.rank;
    let (a, b) = warp.tile<G>.inclusive_scan_total(i64(i), +);
    let (c, d) = warp.exclusive_scan_total(i64(i), +);
    let (e, f) = warp.exclusive_scan_total(i64(i), |p, q| p + q, init = -7);
    (y[i, 0], y[i, 1], y[i, 2], y[i, 3], y[i, 4], y[i, 5]) = (a, b, c, d, e, f);
    let (g, h) = warp.inclusive_scan_total(f64(i), max, valid = n);
    let (k, l) = warp.tile<G>.exclusive_scan_total([f64(2 * i), f64(2 * i + 1)], +, valid = n);
    (z[i, 0], z[i, 1]) = (warp.lane < n ? g : 0, h);
    (z[i, 2], z[i, 3]) = (warp.tile<G>.rank < n / 2 ? k[0] : 0, l);
}
export totals<96, 8>, totals<50, 4>, totals<1, 2>;
