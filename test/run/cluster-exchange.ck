// Blocks of a cluster reach each other's shared memory, static and dynamic, behind cluster.sync().
// REQUIRES: ckc
// RUN: %run-test %s
kernel ring(x: in u32[n], n: u32, y: out u32[n]) launch(block = 64, grid = n / 64, cluster = 4)
{
    shared s: u32[64];
    s[thread.x] = x[grid.thread_rank];
    cluster.sync();
    let next = cluster.map(s, (cluster.rank + 1) % cluster.size);
    y[grid.thread_rank] = next[63 - thread.x];
    cluster.sync();
}
// CALL: ring(x=iota:1024, y=zeros:1024)
// EXPECT: y = [i // 256 * 256 + (i // 64 + 1) % 4 * 64 + 63 - i % 64 for i in range(1024)]
// CALL: ring(x=iota:1024, y=zeros:1024) -check
// EXPECT: y = [i // 256 * 256 + (i // 64 + 1) % 4 * 64 + 63 - i % 64 for i in range(1024)]

kernel swap(m: u32, x: in u8[4, m], y: out u8[4, m]) launch(block = 32, grid = 4, cluster = 2)
{
    shared pad: u8[5];
    shared row: u8[dyn m];
    if (thread.x < 5) pad[thread.x] = u8(block.id.x);
    for (i in block.stride(m)) row[i] = x[block.id.x, i];
    cluster.sync();
    let other = cluster.map(row, cluster.rank ^ 1);
    let others_pad = cluster.map(pad, cluster.rank ^ 1);
    for (i in block.stride(m)) y[block.id.x, i] = i == 0 ? others_pad[4] : other[i];
    cluster.sync();
}
// CALL: swap(x=[[i % 200 for i in range(j, j + 333)] for j in range(0, 40, 10)], y=zeros:4x333)
// EXPECT: y = [[b ^ 1] + [(i + 10 * (b ^ 1)) % 200 for i in range(1, 333)] for b in range(4)]
// CALL: swap(x=[[i % 200 for i in range(j, j + 333)] for j in range(0, 40, 10)], y=zeros:4x333) -check
// EXPECT: y = [[b ^ 1] + [(i + 10 * (b ^ 1)) % 200 for i in range(1, 333)] for b in range(4)]
