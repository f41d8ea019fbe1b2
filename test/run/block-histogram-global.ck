// Blocks that run at a time count into one histogram in global memory, by atomic steps and by sorting.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: count<256,8>(y=zeros:5, z=zeros:5)
// EXPECT: y = [(np.arange(131072)**2 % 5 == c).sum() for c in range(5)]
// EXPECT: z = [(np.arange(131072)**2 % 5 == c).sum() for c in range(5)]
// CALL: count<96,3>(y=zeros:5, z=ones:5)
// EXPECT: y = [(np.arange(18432)**2 % 5 == c).sum() for c in range(5)]
// EXPECT: z = [1 + (np.arange(18432)**2 % 5 == c).sum() for c in range(5)]
kernel count<const B: u32, const N: u32>(y: inout u32[5], z: inout u32[5]) launch(block = B, grid = 64)
{
    var items: u8[N];
    unroll for (k in 0..N) {
        let i = u64((block.id.x * B + thread.rank) * N + k);
        items[k] = u8(i * i % 5);
    }
    block.histogram(items, y);
    block.histogram<sort>(items, z);
}
export count<256, 8>, count<96, 3>;
