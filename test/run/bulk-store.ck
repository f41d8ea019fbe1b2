// A tile is written in shared memory, and stored by a bulk copy; two tiles take turns.
// RUN: %run-test %s
kernel squares(n: u32, x: in f32[n], y: out f32[n]) launch(block = 64, grid = 2)
{
    shared tile: f32[2, 256];
    var round = 0u32;
    for (base in (block.id.x * 256..n).step(512)) {
        let t = round % 2;
        if (thread.rank == 0) bulk.wait_read<1>();      // the store before the last has left this tile
        block.sync();
        for (i in block.stride(min(256, n - base))) tile[t, i] = x[base + i] * x[base + i];
        bulk.fence();
        block.sync();
        let whole = bulk.whole(y, base, 256);
        if (thread.rank == 0) { bulk.store(y, base, tile[t], whole); bulk.commit(); }
        for (i in (base + whole + thread.rank..min(n, base + 256)).step(64)) y[i] = tile[t, i - base];
        round += 1;
    }
    if (thread.rank == 0) bulk.wait();
}
// FOR: n in 0, 3, 256, 1000, 4096, 10007
// CALL: squares(x=iota:n, y=zeros:n) -check
// EXPECT: y = x * x
