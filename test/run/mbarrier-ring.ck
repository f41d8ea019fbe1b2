// Tiles stream through a ring of stages: one thread fills them by bulk copies, four warps read and release them.
// RUN: %run-test %s
kernel ring<T: number = f32, const S: u32 = 3, const TILE: u32 = 512>(n: u32, x: in T[n], y: inout T[1])
    launch(block = 160, grid = 2)
{
    shared tile: T[S, TILE];
    shared full: barrier[S];
    shared empty: barrier[S];
    if (thread.rank == 0) for (s in 0..S) { mbarrier.init(full[s], 1); mbarrier.init(empty[s], arrivals = 4); }
    block.sync();
    var (tiles, round) = (ceil_div(n, TILE), 0u32);
    if (warp.rank == 4) {
        for (t in (block.id.x..warp.lane == 0 ? tiles : 0).step(2)) {
            let (s, whole) = (round % S, bulk.whole(x, t * TILE, TILE));
            mbarrier.wait(empty[s], round / S % 2 ^ 1);
            mbarrier.arrive(full[s], bytes = u32(whole * sizeof<T>));
            bulk.load(tile[s], x, t * TILE, whole, full[s]);
            round += 1;
        }
    } else {
        var sum: T;
        for (t in (block.id.x..tiles).step(2)) {
            let (s, whole) = (round % S, bulk.whole(x, t * TILE, TILE));
            mbarrier.wait(full[s], round / S % 2);
            for (i in (thread.rank..whole).step(128)) sum += tile[s, i];
            for (i in (t * TILE + whole + thread.rank..min(n, (t + 1) * TILE)).step(128)) sum += x[i];
            warp.sync();
            if (warp.lane == 0) mbarrier.arrive(empty[s]);
            round += 1;
        }
        atomic.add(y[0], sum);
    }
}
// FOR: n in 0, 1, 512, 1536, 5000, 100003
// CALL: ring(x=ones:n, y=[0]) -check
// EXPECT: y = n
// FOR: n in 0, 1, 2048, 5001
// CALL: ring<u8, 4>(x=ones:n, y=[0])
// EXPECT: y = n % 256
