// All blocks come to grid.sync().
// RUN: not %ckc %s --stop-after=uniform 2>&1 | FileCheck %s
kernel k() { if (block.id.x == 0) grid.sync(); }
// CHECK: grid.ck:3:18: error: not all threads of the grid come to 'grid.sync': this differs between blocks [divergent]
