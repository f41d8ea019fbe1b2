// --cluster says the blocks of a cluster where the kernel has no contract, and has to agree with one.
// REQUIRES: ckc
// RUN: %ckc run %s count --grid=4,3 --block=1 --cluster=2,3 --device=host | FileCheck %s
// CHECK: {{^}}size = [6, 2, 3]{{$}}
// RUN: %ckc run %s count --grid=4 --block=1 --device=host | FileCheck --check-prefix=ALONE %s
// ALONE: {{^}}size = [1, 1, 1]{{$}}
// RUN: not %ckc run %s pairs --cluster=4 --device=host 2>&1 | FileCheck --check-prefix=OTHER %s
// OTHER: error: kernel 'pairs': it was compiled for a cluster of (2, 1, 1), got (4, 1, 1)
// RUN: not %ckc run %s count --grid=4 --block=1 --cluster=0 --device=host 2>&1 | FileCheck --check-prefix=ZERO %s
// ZERO: error: --cluster=0: one to three numbers from 1 are needed, as 8,4,1
kernel count(size: out u32[3])
{
    if (grid.thread_rank == 0) {
        size[0] = cluster.size;
        size[1] = cluster.dim.x;
        size[2] = cluster.dim.y;
    }
}
kernel pairs(size: out u32[3]) launch(block = 1, grid = 4, cluster = 2) { if (block.id.x == 0) size[0] = cluster.size; }
// CALL: count(size=zeros:3) --grid=4 --block=1 --cluster=4
// EXPECT: size = [4, 4, 1]
// RUN: %run-test %s
// RUN: %ckc test %s
