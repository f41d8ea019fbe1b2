// Runs are decoded window by window into a histogram, which is then scanned: its bins' places.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: places(value=rand:96:1:0..63, length=rand:96:2:0..40, y=zeros:64)
// EXPECT: y = [np.cumsum(c) - c for c in [[(length * (value == b)).sum() for b in range(64)]]][0]
// CALL: places(value=rand:96:3:0..63, length=zeros:96, y=ones:64) -check
// EXPECT: y = 0
// CALL: places(value=rand:96:3:0..63, length=rand:96:4:0..9, y=ones:64) -check
// EXPECT: y = [np.cumsum(c) - c for c in [[(length * (value == b)).sum() for b in range(64)]]][0]
kernel places(value: in u32[96], length: in u32[96], y: out u32[64]) launch(block = 32, grid = 1)
{
    shared counts: u32[65];                             // the last one: what is behind the end
    for (i in block.stride(65u32)) counts[i] = 0;
    let (values, lengths) = (block.load(value, 0, 3), block.load(length, 0, 3));
    var (from, total) = (0u32, 1u32);
    while (from < total) {
        let (items, offsets, all) = block.run_length_decode(values, lengths, from, 4);
        var bins: u32[4];
        unroll for (k in 0u32..4) bins[k] = from + 4 * thread.rank + k < all ? items[k] : 64;
        block.histogram(bins, counts);
        total = all;
        from += 128;
    }
    block.sync();
    block.store(y, 0, block.exclusive_scan(block.load(counts, 0, 2), +));
}
