// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// warp_reduce.ck - mean and variance of each row, one warp per row: a reduction of structs by a
// user-defined function, in registers only. Each lane makes one pass over its part; the lanes'
// results are combined as in Chan, Golub and LeVeque, Updating formulae and a pairwise algorithm
// for computing sample variances (1979). Each element is read once: 4 bytes.
// TOLERANCE: 1e-5
// CALL: warp_reduce(rows=2, n=4, x=[1, 2, 3, 4, 5, 5, 5, 5])
// EXPECT: mean = [2.5, 5]
// EXPECT: variance = [1.25, 0]
// FOR: rows in 1, 9
// FOR: n in 1, 31, 128, 1003
// CALL: warp_reduce(rows=rows, n=n, x=rand:(rows * n))
// EXPECT: mean = x.reshape(rows, n).mean(axis=1)
// EXPECT: variance = ((x.reshape(rows, n) - x.reshape(rows, n).mean(axis=1, keepdims=True)) ** 2).mean(axis=1)
// BENCH: warp_reduce(rows=2**14, n=1000, x=rand:2**14*1000) bytes = 4 * rows * n

struct Moments { count: f32; mean: f32; squares: f32; }     // squared differences from the mean
fn join(a: Moments, b: Moments) -> Moments {
    let count = a.count + b.count;
    let (apart, share) = (b.mean - a.mean, fast { b.count / max(count, 1) });
    let between = apart * apart * a.count * share;
    return Moments(count, a.mean + apart * share, a.squares + b.squares + between);
}

kernel warp_reduce<const WARPS: u32 = 4>(
    rows: u32, n: u32, x: in f32[rows * n], mean: out f32[rows], variance: out f32[rows])
    launch(block = 32 * WARPS, grid = ceil_div(rows, WARPS))
{
    let row = block.id.x * WARPS + warp.rank;
    if (row >= rows) return;                            // uniform in the warp
    let start = u64(row) * u64(n);
    let line = x[start..start + u64(n)];
    var mine = Moments(0, 0, 0);
    for (i in (0..n).step(128)) {
        let items = warp.load<vectorized>(line, i, 4);  // 16 bytes a lane, if the row is aligned
        unroll for (k in 0u32..4) {
            if (i + warp.lane * 4 + k < n) mine = join(mine, Moments(1, items[k], 0));
        }
    }
    let all = warp.reduce(mine, join);
    if (warp.lane == 0) (mean[row], variance[row]) = (all.mean, all.squares / f32(n));
}
