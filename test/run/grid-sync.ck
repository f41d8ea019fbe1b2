// All blocks wait for each other, more than once; what they wrote is seen by the others.
// REQUIRES: ckc
// RUN: %run-test %s
// CALL: rotate(n=6, x=zeros:192, y=zeros:6)
// EXPECT: x = [(i // 32 + 3) % 6 for i in range(192)]
// EXPECT: y = [15] * 6
kernel rotate(n: u32, x: inout u32[n * 32], y: inout u32[n]) launch(block = 32, grid = n)
{
    shared kept: u32[1];
    let (b, i) = (block.id.x, thread.x);
    if (i == 0) kept[0] = b;
    block.sync();
    for (turn in 0..3) {
        x[b * 32 + i] = kept[0];
        grid.sync();
        let next = x[(b + 1) % n * 32 + i];
        if (i == 0) kept[0] = next;
        grid.sync();
    }
    x[b * 32 + i] = kept[0];
    grid.sync();
    let first = x[warp.lane % n * 32];
    let total = warp.sum(i < n ? first : 0);
    if (i == 0) y[b] = total;
}
