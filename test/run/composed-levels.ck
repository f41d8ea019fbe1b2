// From lanes to tiles, warps, the block and back: each level takes what the one below it found.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: levels(x=rand:100:1:0..99, y=zeros:100)
// EXPECT: y = np.array([v for g in [x.reshape(25, 4).sum(axis=1)] for v in np.cumsum(g) - g for r in range(4)]) + np.sort(np.concatenate([x, [1000] * 28]).reshape(4, 32)).reshape(-1)[:100]
// CALL: levels(x=rand:100:2:0..99, y=zeros:100) -check
// EXPECT: y = np.array([v for g in [x.reshape(25, 4).sum(axis=1)] for v in np.cumsum(g) - g for r in range(4)]) + np.sort(np.concatenate([x, [1000] * 28]).reshape(4, 32)).reshape(-1)[:100]
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
