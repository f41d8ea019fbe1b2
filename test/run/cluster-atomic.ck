// A histogram whose counts are shared out among the blocks of a cluster; blocks wait more than once.
// REQUIRES: ckc
// RUN: %run-test %s
kernel histogram(n: u32, x: in u8[n], counts: inout u32[256])
    launch(block = 128, grid = 8, cluster = (4, 1, 1))
{
    shared part: u32[64];
    if (thread.x < 64) part[thread.x] = 0;
    cluster.sync();
    for (i in grid.stride(n)) atomic.add(cluster.map(part, x[i] / 64)[x[i] % 64], 1);
    cluster.sync();
    if (thread.x < 64) atomic.add(counts[cluster.rank * 64 + thread.x], part[thread.x]);
}
// CALL: histogram(x=[(i * i) % 256 for i in range(5000)], counts=zeros:256)
// EXPECT: counts = [sum(i * i % 256 == c for i in range(5000)) for c in range(256)]
// CALL: histogram(x=[(i * i) % 256 for i in range(5000)], counts=zeros:256) -check
// EXPECT: counts = [sum(i * i % 256 == c for i in range(5000)) for c in range(256)]
