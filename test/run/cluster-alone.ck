// Without clusters in the launch, each block is a cluster of its own.
// REQUIRES: ckc
// RUN: %run-test %s
// CALL: alone(y=zeros:64)
// EXPECT: y = [1 + 10 * (i // 32) + 31 - i % 32 for i in range(64)]
kernel alone(y: out u32[64]) launch(block = 32, grid = 2)
{
    shared s: u32[32];
    s[thread.x] = thread.x;
    cluster.sync();
    let same = cluster.map(s, cluster.rank);
    y[grid.thread_rank] = cluster.size + 10 * cluster.id.x + same[31 - thread.x];
    cluster.sync();
}
