// Waits of warps, blocks and clusters alternate; what was written before is seen behind them.
// REQUIRES: ckc
// RUN: %run-test %s
kernel steps(y: out u32[8]) launch(block = 64, grid = 8, cluster = 4)
{
    shared s: u32[1];
    if (thread.x == 0) s[0] = 1;
    cluster.sync();
    var sum = 0u32;
    for (turn in 0..3u32) {
        sum += warp.sum(cluster.map(s, (cluster.rank + turn) % 4)[0]);
        cluster.sync();
        if (thread.x == 63) s[0] += block.id.x;
        block.sync();
        sum += s[0];
        cluster.sync();
    }
    if (thread.x == 0) y[block.id.x] = sum;
}
// CALL: steps(y=zeros:8)
// EXPECT: y = [sum(33 + 32 * t * (b // 4 * 4 + (b + t) % 4) + (t + 1) * b for t in range(3)) for b in range(8)]
// CALL: steps(y=zeros:8) -check
// EXPECT: y = [sum(33 + 32 * t * (b // 4 * 4 + (b + t) % 4) + (t + 1) * b for t in range(3)) for b in range(8)]
