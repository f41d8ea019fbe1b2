// The warps of a block have roles: one fills a ring of tiles, the others read it and wait for each other.
// RUN: %run-test %s
kernel stream<const S: u32 = 3, const WORKERS: u32 = 4, const TILE: u32 = 256>(n: u32, x: in f32[n], y: out f32[n])
    launch(block = 32 * (WORKERS + 1), grid = 2)
{
    shared tile: f32[S, TILE];
    shared sums: f32[WORKERS];
    shared bar: barrier[2, S];                      // full, empty
    if (thread.rank == 0) for (s in 0..S) { mbarrier.init(bar[0, s], 1); mbarrier.init(bar[1, s], WORKERS * 32); }
    block.sync();
    var round = 0u32;
    split {
        loader(warps = 1) {
            for (t in (block.id.x..loader.rank == 0 ? n / TILE : 0).step(2)) {
                mbarrier.wait(bar[1, round % S], round / S % 2 ^ 1);
                mbarrier.arrive(bar[0, round % S], bytes = 4 * TILE);
                bulk.load(tile[round % S], x, t * TILE, TILE, bar[0, round % S]);
                round += 1;
            }
        }
        worker(warps = WORKERS) {
            for (t in (block.id.x..n / TILE).step(2)) {
                mbarrier.wait(bar[0, round % S], round / S % 2);
                var (sum, mean) = (0.0, 0.0);
                for (i in worker.stride(TILE)) sum += tile[round % S, i];
                sum = warp.sum(sum);
                if (warp.lane == 0) sums[worker.warp] = sum;
                worker.sync();                      // the sums of all workers are there
                for (k in 0..WORKERS) mean += sums[k] / f32(TILE);
                for (i in worker.stride(TILE)) y[t * TILE + i] = tile[round % S, i] - mean;
                worker.sync();                      // they have been read
                mbarrier.arrive(bar[1, round % S]);
                round += 1;
            }
        } }
}
// CALL: stream(x=ones:1024, y=ones:1024) -check
// EXPECT: y = 0 * x
// CALL: stream<2, 8>(x=iota:2560, y=ones:2560)
// EXPECT: y = [i % 256 - 127.5 for i in range(2560)]
