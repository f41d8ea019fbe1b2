// A promise about the cluster or the grid that a block's own threads break is found.
// REQUIRES: host
// RUN: not %ckc run %s clusters --device=host 2>&1 | FileCheck %s
// RUN: not %ckc run %s grids --device=host 2>&1 | FileCheck %s
kernel clusters() launch(block = 32, grid = 2, cluster = 2) { if (cluster.uniform(thread.x) == 0) cluster.sync(); }
kernel grids() launch(block = 32, grid = 2) { if (grid.uniform(thread.x) == 0) grid.sync(); }
// CHECK: threads [0,0,0] and [1,0,0] {{.*}}
