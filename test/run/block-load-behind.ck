// A tile that lies behind the end, or of nothing at all: defaults, and nothing is stored; a checked build does not mind.
// REQUIRES: ckc, host
// RUN: %run-test %s
// FOR: n in 0, 1, 128, 130
// CALL: behind(n=n, x=iota:300, y=zeros:300, z=zeros:128) -check
// EXPECT: y = [x[i] if 128 <= i < n else 0 for i in range(300)]
// EXPECT: z = [128 + i if 128 + i < n else 7 for i in range(128)]
kernel behind(n: u32, x: in u32[300], y: inout u32[300], z: out u32[128]) launch(block = 32, grid = 1)
{
    let items = block.load<vectorized>(x[0..n], 128, 4, default = 7);
    block.store<vectorized>(y[0..n], 128, items);
    block.store(z, 0, items);
    let none = warp.load<vectorized>(x[0..n], 128, 4);
    warp.store<vectorized>(y[0..n], 128, none);
}
