// --grid and --block say the launch where the kernel has no contract.
// REQUIRES: ckc
// RUN: %ckc run %s count --grid=2,3 --block=4,1,2 --device=host | FileCheck %s
// CHECK: {{^}}size = [48, 4, 2]{{$}}
// RUN: sh -c '%ckc run %s count --grid=2 --device=host; test $? = 1' 2>&1 | FileCheck --check-prefix=BLOCK %s
// BLOCK: error: kernel 'count' has no block in its launch contract: give one
// RUN: sh -c '%ckc run %s count --grid=0 --block=1 --device=host; test $? = 2' 2>&1 | FileCheck --check-prefix=ZERO %s
// ZERO: error: --grid=0: one to three numbers from 1 are needed, as 8,4,1
// RUN: not %ckc run %s count --grid=1,2,3,4 --block=1 --device=host 2>&1 | FileCheck --check-prefix=FOUR %s
// FOUR: error: --grid=1,2,3,4: one to three numbers
// RUN: not %ckc run %s count --grid=1 --block=2048 --device=host 2>&1 | FileCheck --check-prefix=LARGE %s
// LARGE: error: kernel 'count': block.x is 2048, 'host device' takes at most 1024
kernel count(size: out u64[3])
{
    if (grid.thread_rank == 0) {
        size[0] = grid.size;
        size[1] = u64(block.dim.x);
        size[2] = u64(block.dim.z);
    }
}
