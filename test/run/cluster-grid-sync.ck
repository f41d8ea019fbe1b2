// A kernel waits for its cluster and for the grid, in turns.
// REQUIRES: ckc
// RUN: %run-test %s
kernel both(x: inout u32[8], y: out u32[8]) launch(block = 32, grid = 8, cluster = 2)
{
    shared s: u32[1];
    let b = block.id.x;
    for (turn in 0..3) {
        if (thread.x == 0) s[0] = x[(b + 2) % 8];
        cluster.sync();
        let other = cluster.map(s, cluster.rank ^ 1)[0];
        grid.sync();
        if (thread.x == 0) x[b] = other + 1;
        grid.sync();
    }
    if (thread.x == 0) y[b] = x[b ^ 1];
    grid.sync();
    cluster.sync();  // racecheck of CUDA 13.0 knows no other end of a cluster
}
// CALL: both(x=iota:8, y=zeros:8)
// EXPECT: x = [((b ^ 1) + 6) % 8 + 3 for b in range(8)]
// EXPECT: y = [(b + 6) % 8 + 3 for b in range(8)]
// CALL: both(x=iota:8, y=zeros:8) -check
// EXPECT: x = [((b ^ 1) + 6) % 8 + 3 for b in range(8)]
// EXPECT: y = [(b + 6) % 8 + 3 for b in range(8)]
