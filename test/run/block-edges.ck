// What stands beyond the block's ends, before each segment, or behind the first n values.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: edges<40,3>(n=120, y=zeros:120x6)
// EXPECT: y = [[i % 5 == 0 and i > 0, 7 if i < n - 1 else 100 - n, i + 1 if i < n - 1 else 77, n * 1000 + i + 1, 50 + i % 5 + 1, sum(range(10))] for i in range(n)]
// CALL: edges<256,1>(n=256, y=zeros:256x6)
// EXPECT: y = [[i % 5 == 0 and i > 0, 7 if i < n - 1 else 100 - n, i + 1 if i < n - 1 else 77, n * 1000 + i + 1, 50 + i % 5 + 1, sum(range(10))] for i in range(n)]
// CALL: edges<1,2>(n=2, y=zeros:2x6)
// EXPECT: y = [[0, [7, 98][i], [1, 77][i], 2000 + i + 1, 50 + i % 5 + 1, 1] for i in range(n)]
kernel edges<const B: u32, const N: u32>(n: u32, y: out i32[B * N, 6]) launch(block = B, grid = 1)
{
    let items = block.load(count<i32>(), 0, N);
    var (runs, ones) = (items, items);
    var heads: bool[N];
    for (k in 0..N) (runs[k], ones[k], heads[k]) = (items[k] / 5, 1, items[k] % 5 == 0);
    let starts = block.heads(runs, !=, before = 0);
    let steps = block.adjacent_difference_right(items, |v, r| r - v + 6, after = 93);
    let down = block.shuffle_down(items, after = 77);
    let upto = block.inclusive_scan(ones, +, prefix = |total| 1000 * total);
    let in_run = block.segmented_inclusive_scan(ones, heads, +, init = 50);
    let sum = block.shuffle(block.reduce_to<raking>(B - 1, items, +, valid = min(n, 10)), B - 1);
    for (k in 0..N) {
        let i = items[k];
        (y[i, 0], y[i, 1], y[i, 2]) = (i32(starts[k]), steps[k], down[k]);
        (y[i, 3], y[i, 4], y[i, 5]) = (upto[k], in_run[k], sum);
    }
}
export edges<40, 3>, edges<256, 1>, edges<1, 2>;
