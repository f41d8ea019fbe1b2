// The index of a vector's access may be any expression, a property of a group in it too.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: fill(y=zeros:32)
// EXPECT: y = [i // 4 for i in range(32)]
kernel fill(y: inout u32[32]) launch(block = 8, grid = 1)
{
    shared all: u32[32];
    all.store(4 * warp.lane + 8 * warp.rank, u32x4(thread.rank));
    y.store(4 * thread.rank, all.load<4>(4 * warp.lane));
}
