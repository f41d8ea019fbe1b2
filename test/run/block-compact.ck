// Compaction, histograms and runs within a block.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: compact(y=zeros:80, n=zeros:1)
// EXPECT: y = [3 * i if i < 40 else 0 for i in range(80)]
// EXPECT: n = [40]
kernel compact(y: out u32[80], n: out u32[1]) launch(block = 40, grid = 1)
{
    let i = 2 * thread.rank;
    let multiples = [i % 3 == 0, (i + 1) % 3 == 0, i / 2 * 3 % 9 == 0];
    let (kept, count) = block.compact([i, i + 1, i / 2 * 3 + 1000], multiples);
    let (low, low_count) = block.compact([3 * i, 3 * i + 3], [i < 40, i < 40]);
    for (k in 0..2) if (i + u32(k) < low_count) y[i + u32(k)] = low[k];
    if (thread.rank == 0) n[0] = low_count + u32(count != 27 + 14);
    if (thread.rank == 0 && kept[1] != 1000) n[0] = 0;
}
// CALL: counts(y=zeros:7)
// EXPECT: y = [10, 10, 10, 9, 9, 9, 9]
kernel counts(y: out u32[7]) launch(block = 33, grid = 1)
{
    shared all: u32[7];
    if (thread.rank < 7) all[thread.rank] = 0;
    block.sync();
    block.histogram([2 * thread.rank % 7, (2 * thread.rank + 1) % 7], all);
    block.sync();
    if (thread.rank < 7) y[thread.rank] = all[thread.rank];
}
// CALL: runs(y=zeros:64x2)
// EXPECT: y = [[r, o] for r in range(32) for o in range(r % 5)][3:] + [[0, 0]] * 6
kernel runs(y: out u32[64, 2]) launch(block = 32, grid = 1)
{
    let i = thread.rank;
    let (items, offsets, total) = block.run_length_decode([i], [i % 5], 3, 2);
    for (k in 0..2) if (2 * i + u32(k) + 3 < total) (y[2 * i + u32(k), 0], y[2 * i + u32(k), 1]) = (items[k], offsets[k]);
}
