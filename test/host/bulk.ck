// The host device finds a tile that is read before its bytes have come, and a phase that never ends.
// RUN: not %ckc run %s early x=iota:64 --device=host -check 2>&1 | FileCheck --check-prefix=EARLY %s
// RUN: not %ckc run %s odd x=iota:64 --device=host 2>&1 | FileCheck --check-prefix=ODD %s
// RUN: not %ckc run %s never x=iota:64 --device=host 2>&1 | FileCheck --check-prefix=NEVER %s
// RUN: not %ckc run %s fresh x=iota:64 --device=host -check 2>&1 | FileCheck --check-prefix=FRESH %s
kernel early(x: in f32[64], y: out f32[64]) launch(block = 64, grid = 1)
{
    shared t: f32[64];
    shared full: barrier;
    if (thread.rank == 0) mbarrier.init(full, 1);
    block.sync();
    if (thread.rank == 0) { mbarrier.arrive(full, bytes = 256); bulk.load(t, x, 0, 64, full); }
    block.sync();
    y[thread.x] = t[thread.x];
}
// EARLY: bulk.ck:14:19: {{.*}} 't[thread.x]' reads 't', to which thread [0,0,0] copies by 'bulk.load(t, x, 0, 64, full)' at {{.*}}bulk.ck:12:65, and has not waited for that
kernel odd(x: in f32[64]) launch(block = 1, grid = 1)
{
    shared t: f32[64];
    shared full: barrier;
    mbarrier.init(full, 1);
    bulk.load(t, x, 1, 4, full);
}
// ODD: Assertion `a bulk copy's sides and its number of bytes are multiples of 16` failed
kernel never(x: in f32[64]) launch(block = 64, grid = 1)
{
    shared full: barrier;
    if (thread.rank == 0) { mbarrier.init(full, 2); mbarrier.arrive(full); }
    block.sync();
    if (thread.rank < 60) mbarrier.wait(full, 0);
}
// NEVER: kernel 'never', block [0,0,0]: deadlock: thread [0,0,0] (of 60) waits for its mbarrier in the library
kernel fresh(x: in f32[64]) launch(block = 1, grid = 1) { shared full: barrier; mbarrier.wait(full, 0); }
// FRESH: 'mbarrier.wait(full, 0)' reads what no thread has written so far of the shared variable 'full'
