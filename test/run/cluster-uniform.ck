// Where the program promises it, a value of shared memory decides about the cluster's and the grid's waits.
// REQUIRES: ckc
// RUN: %run-test %s
kernel flags(x: in u32[8], y: out u32[8]) launch(block = 32, grid = 8, cluster = 2)
{
    shared s: u32[1];
    if (thread.x == 0) s[0] = x[0];
    block.sync();
    if (cluster.uniform(s[0]) == 1) cluster.sync();
    if (grid.uniform(s[0]) == 1) grid.sync();
    if (thread.x == 0) y[block.id.x] = s[0] + 1;
    cluster.sync();
}
// CALL: flags(x=ones:8, y=zeros:8)
// EXPECT: y = 2
// CALL: flags(x=zeros:8, y=zeros:8) -check
// EXPECT: y = 1
