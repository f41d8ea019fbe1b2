// Neighbours within a block: where runs start and end, differences, items moved by one.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: flags(h=zeros:40x2, t=zeros:40x2, d=zeros:40x2)
// EXPECT: h = [[(2 * t + k) % 5 == 0 for k in range(2)] for t in range(40)]
// EXPECT: t = [[(2 * t + k) % 5 == 4 for k in range(2)] for t in range(40)]
// EXPECT: d = [[2 * (2 * t + k) - 1 if t + k > 0 else 100 for k in range(2)] for t in range(40)]
kernel flags(h: out u32[40, 2], t: out u32[40, 2], d: out i32[40, 2]) launch(block = 40, grid = 1)
{
    let i = thread.rank;
    let runs = [2 * i / 5, (2 * i + 1) / 5];
    let (heads, tails) = (block.heads(runs, !=), block.tails(runs, !=, after = 99));
    let squares = [i32(4 * i * i), i32((2 * i + 1) * (2 * i + 1))];
    let steps = block.adjacent_difference(squares, -, before = -100);
    for (k in 0..2) (h[i, k], t[i, k], d[i, k]) = (u32(heads[k]), u32(tails[k]), steps[k]);
}
// CALL: moved(y=zeros:33x3)
// EXPECT: y = [[(i + 5) % 33, 7 if i == 0 else 2 * i - 1, 2 * i + 2 if i < 32 else 65] for i in range(33)]
kernel moved(y: out u32[33, 3]) launch(block = 33, grid = 1)
{
    let i = thread.rank;
    y[i, 0] = block.shuffle(i, (i + 5) % 33);
    y[i, 1] = block.shuffle_up([2 * i, 2 * i + 1], 7)[0];
    y[i, 2] = block.shuffle_down([2 * i, 2 * i + 1])[1];
}
