// A cluster has up to three axes: where a block is in it, where the cluster is in the grid.
// REQUIRES: ckc
// RUN: %run-test %s
kernel axes(y: out u32[8, 4, 2, 8]) launch(block = 1, grid = (2, 4, 8), cluster = (2, 1, 4))
{
    let (k, j, i) = (block.id.z, block.id.y, block.id.x);
    y[k, j, i, 0] = cluster.rank;
    y[k, j, i, 1] = cluster.size;
    y[k, j, i, 2] = cluster.id.x;
    y[k, j, i, 3] = cluster.id.y;
    y[k, j, i, 4] = cluster.id.z;
    y[k, j, i, 5] = cluster.dim.x;
    y[k, j, i, 6] = cluster.dim.y;
    y[k, j, i, 7] = cluster.dim.z;
}
// CALL: axes(y=zeros:8x4x2x8)
// EXPECT: y = [[[[i + 2 * (k % 4), 8, 0, j, k // 4, 2, 1, 4] for i in range(2)] for j in range(4)] for k in range(8)]
