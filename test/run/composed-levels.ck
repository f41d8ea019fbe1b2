// From lanes to tiles, warps, the block and back: each level takes what the one below it found.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: levels(x=rand:100:1:0..99, y=zeros:100)
// EXPECT: y = (lambda g: np.repeat(np.cumsum(g) - g, 4)[:100] + np.sort(np.pad(x, (0, 28), constant_values=1000).reshape(4, 32), 1).ravel()[:100])(np.add.reduceat(x, np.arange(0, 100, 4)))
// CALL: levels(x=rand:100:2:0..99, y=zeros:100) -check
// EXPECT: y = (lambda g: np.repeat(np.cumsum(g) - g, 4)[:100] + np.sort(np.pad(x, (0, 28), constant_values=1000).reshape(4, 32), 1).ravel()[:100])(np.add.reduceat(x, np.arange(0, 100, 4)))
kernel levels(x: in u32[100], y: out u32[100]) launch(block = (5, 5, 4), grid = 1)
{
    let i = thread.rank;
    let t = warp.tile<4>;
    let sum = t.sum(x[i]);
    let mine = t.rank == 0 ? sum : 0;
    let upto = block.inclusive_scan(mine, +);           // whole tiles up to this one
    let before = t.broadcast(upto, 0) - sum;
    y[i] = before + warp.merge_sort([x[i]], <)[0];
}
