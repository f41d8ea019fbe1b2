// Each warp of a block works in tiles of its own size, in code that the other warps are not in.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: tiles(x=rand:160:1:0..999, y=zeros:160)
// EXPECT: y = np.concatenate([[v for v in x[0:32].reshape(16, 2).sum(1) for r in range(2)], np.cumsum(x[32:64].reshape(4, 8), 1).reshape(-1), np.sort(x[64:96].reshape(2, 16)).reshape(-1), [x[96:128].max()] * 32, [v for v in x[128:160].reshape(8, 4)[:, 3] for r in range(4)]])
// CALL: tiles(x=rand:160:2:0..999, y=zeros:160) -check
// EXPECT: y = np.concatenate([[v for v in x[0:32].reshape(16, 2).sum(1) for r in range(2)], np.cumsum(x[32:64].reshape(4, 8), 1).reshape(-1), np.sort(x[64:96].reshape(2, 16)).reshape(-1), [x[96:128].max()] * 32, [v for v in x[128:160].reshape(8, 4)[:, 3] for r in range(4)]])
fn of_warp(v: u32) -> u32 {
    if (warp.rank == 0) return warp.tile<2>.sum(v);
    if (warp.rank == 1) return warp.tile<8>.inclusive_scan(v, +);
    if (warp.rank == 2) return warp.tile<16>.merge_sort([v], <)[0];
    if (warp.rank == 3) return warp.reduce(v, |a, b| a > b ? a : b);
    return warp.tile<4>.broadcast(v, 3);
}
kernel tiles(x: in u32[160], y: out u32[160]) launch(block = 160, grid = 1) { y[thread.x] = of_warp(x[thread.x]); }
