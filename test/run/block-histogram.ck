// Histograms by atomic steps and by sorting, from 0 or on top of what is there.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: count<64,7,5>(n=320, y=zeros:7x4)
// EXPECT: y = [[2 * c, c, 2 * c, c] for c in [(np.arange(n)**2 % 7 == b).sum() for b in range(7)]]
// CALL: count<50,3,3>(n=150, y=zeros:3x4)
// EXPECT: y = [[2 * c, c, 2 * c, c] for c in [(np.arange(n)**2 % 3 == b).sum() for b in range(3)]]
// CALL: count<320,256,1>(n=320, y=zeros:256x4)
// EXPECT: y = [[2 * c, c, 2 * c, c] for c in [(np.arange(n)**2 % 256 == b).sum() for b in range(256)]]
// CALL: count<1,1,16>(n=16, y=zeros:1x4)
// EXPECT: y = [[32, 16, 32, 16]]
kernel count<const B: u32, const BINS: u32, const N: u32>(n: u32, y: out u32[BINS, 4]) launch(block = B, grid = 1)
{
    shared a: u32[BINS];
    shared b: u32[BINS];
    shared c: u32[BINS];
    shared d: u32[BINS];
    var items: i32[N];
    var bytes: u8[N];
    for (k in 0..N) {
        items[k] = i32((thread.rank * N + k) * (thread.rank * N + k) % BINS);
        bytes[k] = u8(items[k]);
    }
    block.histogram(items, a, clear = true);
    block.histogram(bytes, a);
    block.histogram(bytes, b, clear = true);
    block.histogram<sort>(items, c, clear = true);
    block.histogram<sort>(bytes, c);
    block.histogram<sort>(bytes, d, true);
    block.sync();
    for (i in block.stride(BINS)) (y[i, 0], y[i, 1], y[i, 2], y[i, 3]) = (a[i], b[i], c[i], d[i]);
}
export count<64, 7, 5>, count<50, 3, 3>, count<320, 256, 1>, count<1, 1, 16>;
