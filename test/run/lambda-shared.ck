// A lambda that names a shared array of several extents holds a span of it, as of one extent.
// RUN: %run-test %s
kernel rows(y: out u32[32]) launch(block = 32, grid = 1)
{
    shared tile: u32[4, 8];
    shared cube: u32[2, 4, 4];
    let place = |i| tile[i / 8, i % 8];
    let last = || tile[1..4].column(7)[2];
    let far = |i| cube[i / 16, i / 4 % 4, i % 4];
    let t = thread.x;
    (tile[t / 8, t % 8], cube[t / 16, t / 4 % 4, t % 4]) = (t, 100 * t);
    block.sync();
    y[t] = place(31 - t) + last() + far(t ^ 1);
}
// CALL: rows()
// EXPECT: y = 62 - arange(32) + 100 * (arange(32) ^ 1)
