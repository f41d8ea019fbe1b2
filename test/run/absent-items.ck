// What is not valid is not handed to the program's function: here it would look behind its table.
// RUN: %run-test %s
fn seen(t: in u32[], a: u32, b: u32) -> u32 = t[a] * 0 + t[b] * 0 + max(a, b);
fn lower(t: in u32[], a: u32, b: u32) -> bool = t[a] < t[b];
kernel folds(n: u32, t: in u32[64], x: in u32[64], y: out u32[6]) launch(block = 64, grid = 1)
{
    let (v, w, u) = (x[thread.x], x[thread.x % 32], x[thread.x % 8]);
    let f = |a: u32, b: u32| seen(t, a, b);
    let first = block.reduce(v, f, valid = n);
    let least = warp.reduce(w, f, valid = min(n, 32u32));
    let scan = warp.inclusive_scan(w, f, valid = min(n, 32u32));
    let before = warp.exclusive_scan(w, f, init = 0, valid = min(n, 32u32));
    let tile = warp.tile<8>.reduce(u, f, valid = min(n, 8u32));
    if (thread.x == 0) (y[0], y[1], y[4]) = (first, least, tile);
    if (thread.x == min(n, 32u32) - 1) (y[2], y[3]) = (scan, before);
    let sorted = block.merge_sort([v], |a, b| lower(t, a, b), valid = n);
    if (thread.x == n - 1) y[5] = sorted[0];
}
// FOR: n in 1, 7, 8, 9, 31, 32
// CALL: folds(n=n, t=iota:64, x=where(arange(64) < n, arange(64), 5000)) -check
// EXPECT: y = [n - 1, n - 1, n - 1, where(n > 1, n - 2, 0), where(n > 7, 7, n - 1), n - 1]
kernel tops(n: u32, t: in u32[64], x: in u32[128], y: out u32[64]) launch(block = 64, grid = 1)
{
    let v = block.load(x, 0, 2);
    let d = block.adjacent_difference(v, |a, b| seen(t, a, b), valid = n);
    let r = block.adjacent_difference_right(v, |a, b| seen(t, a, b), valid = n);
    y[thread.x] = d[0] + r[1];
}
// FOR: n in 0, 1, 2, 33, 63, 64
// CALL: tops(n=n, t=iota:64, x=where(arange(128) < n, arange(128) % 64, 5000)) -check
