// A debug build takes several kernels that wait, of the block, of a warp and of the grid.
// RUN: %run-test %s
kernel mirrored(x: inout u32[64]) launch(block = 64, grid = 1)
{
    shared s: u32[64];
    s[thread.x] = x[thread.x];
    block.sync();
    x[thread.x] = s[63 - thread.x];
}
kernel rotated<T: int>(x: inout T[64]) launch(block = 64, grid = 1)
{
    shared s: T[64];
    s[thread.x] = x[thread.x];
    block.sync();
    x[thread.x] = s[(thread.x + 1) % 64];
}
export rotated<u32>, rotated<i16>;
kernel summed(x: in u32[64], y: out u32[2]) launch(block = 64, grid = 1)
{
    let sum = warp.reduce(x[thread.x], +);
    if (warp.lane == 0) y[warp.rank] = sum;
}
algorithm total(x: in u32[]) -> u32 = reduce(x, +, 0u32);
// CALL: mirrored(x=iota:64) -g
// EXPECT: x = 63 - arange(64)
// CALL: rotated<u32>(x=iota:64) -g
// EXPECT: x = (arange(64) + 1) % 64
// CALL: rotated<i16>(x=iota:64) -g
// EXPECT: x = (arange(64) + 1) % 64
// CALL: summed(x=iota:64) -g
// EXPECT: y = [496, 1520]
// CALL: total(x=iota:1000) -g
// EXPECT: result = 499500
