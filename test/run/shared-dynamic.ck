// Arrays in dynamic shared memory: each has what its extents say, the runtime gives the sum.
// RUN: %run-test %s
kernel turn(n: u32, m: u32, x: in f32[n, m], y: out f32[m, n], z: out u8[m], lens: out u64[2])
    launch(block = 32, grid = 1)
{
    shared mark: u8[dyn m];
    shared tile: f32[dyn n, m];
    shared one: i32[1];
    for (i in block.stride(m)) mark[i] = u8(i);
    for (i in block.stride(n * m)) tile[i / m, i % m] = x[i / m, i % m];
    if (thread.rank == 0) one[0] = 5;
    block.sync();
    for (i in block.stride(n * m)) y[i % m, i / m] = tile[i / m, i % m] + f32(one[0]);
    for (i in block.stride(m)) z[i] = mark[m - 1 - i];
    if (thread.rank == 0) { lens[0] = tile.len; lens[1] = mark.len; }
}
// FOR: a in 1, 7, 128
// FOR: b in 1, 33, 200
// CALL: turn(x=rand:a x b, y=zeros:b x a, z=zeros:b, lens=zeros:2)
// EXPECT: y = x.T + 5
// EXPECT: z = np.arange(b - 1, -1, -1)
// EXPECT: lens = [a * b, b]

// CALL: turn(x=zeros:300x300, y=zeros:300x300, z=zeros:300, lens=zeros:2)
// EXPECT-ERROR: bytes of dynamic
