// A lane passes the mbarrier for the lanes that it has met, and for no others.
// RUN: %ckc run %s met --device=host -check | FileCheck %s
// RUN: not %ckc run %s alone --device=host -check 2>&1 | FileCheck --check-prefix=ALONE %s
kernel met(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared s: u32[32];
    shared empty: barrier;
    if (thread.rank == 0) mbarrier.init(empty, 1);
    if (warp.rank == 0) s[warp.lane] = 5;
    block.sync();
    if (warp.rank == 0) {
        y[thread.rank] = s[warp.lane ^ 1];
        warp.sync();
        if (warp.lane == 0) mbarrier.arrive(empty);
    } else {
        if (warp.lane == 0) mbarrier.wait(empty, 0);
        warp.sync();
        s[warp.lane] = 7;
        y[thread.rank] = 6;
    }
}
// CHECK: y = [5, 5, 5
kernel alone(y: out u32[64]) launch(block = 64, grid = 1)
{
    shared s: u32[32];
    shared empty: barrier;
    if (thread.rank == 0) mbarrier.init(empty, 1);
    if (warp.rank == 0) s[warp.lane] = 5;
    block.sync();
    if (warp.rank == 0) {
        if (warp.lane == 0) mbarrier.arrive(empty);
        y[thread.rank] = s[warp.lane ^ 1];
    } else {
        mbarrier.wait(empty, 0);
        s[warp.lane] = 7;
    }
}
// ALONE: race: 's[warp.lane]' writes 's', which thread [{{[0-9]+}},0,0] reads by 's[warp.lane ^ 1]'
