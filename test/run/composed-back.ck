// What a sort moves comes back: sorted with its places, scanned, and scattered to where it stood.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: ranks<96, 5>(x=rand:480:1:0..99, y=zeros:480)
// EXPECT: y = [(x[:i] == x[i]).sum() for i in range(480)]
// CALL: ranks<33, 3>(x=rand:99:2:0..9, y=zeros:99) -check
// EXPECT: y = [(x[:i] == x[i]).sum() for i in range(99)]
// CALL: ranks<256, 1>(x=rand:256:3:0..1, y=zeros:256)
// EXPECT: y = [(x[:i] == x[i]).sum() for i in range(256)]
kernel ranks<const B: u32, const N: u32>(x: in u32[B * N], y: out u32[B * N]) launch(block = B, grid = 1)
{
    let (keys, places) = block.radix_sort(block.load(x, 0, N), block.load(count<u32>(), 0, N));
    let heads = block.heads(keys, !=);
    var ones: u32[N];
    unroll for (k in 0..N) ones[k] = 1;
    let before = block.segmented_exclusive_scan(ones, heads, +);    // equal ones that stand before it
    block.store<striped>(y, 0, block.exchange<scatter_to_striped>(before, places));
}
export ranks<96, 5>, ranks<33, 3>, ranks<256, 1>;
