// Runs that are given by where they start; empty ones have no items, and the last one has no end.
// REQUIRES: ckc, host
// RUN: %run-test %s
kernel runs(starts: in u32[40], from: u32, y: out u32[80, 2]) launch(block = 20, grid = 1)
{
    let values = block.load(count<u32>(), 0, 2);
    let (items, offsets) = block.run_length_decode(values, from, 4, offsets = block.load(starts, 0, 2));
    for (k in 0u32..4) (y[thread.rank * 4 + k, 0], y[thread.rank * 4 + k, 1]) = (items[k], offsets[k]);
}
// CALL: runs(starts=iota:40, from=0, y=zeros:80x2)
// EXPECT: y = [[min(i, 39), i - min(i, 39)] for i in range(80)]
// CALL: runs(starts=[i // 3 * 7 for i in range(40)], from=11, y=zeros:80x2)
// EXPECT: y = [[min(i // 7 * 3 + 2, 39), i - min(i // 7, 13) * 7] for i in range(11, 91)]
// CALL: runs(starts=[i // 3 * 7 for i in range(40)], from=4000, y=zeros:80x2)
// EXPECT: y = [[39, i - 91] for i in range(4000, 4080)]
