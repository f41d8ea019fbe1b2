// Phases of an mbarrier: arrivals, bytes and parities. What was written before an arrival is seen behind the wait.
// RUN: %run-test %s
kernel phases(x: in u32[64], y: out u32[64], z: out u32[8]) launch(block = 64, grid = 1)
{
    shared t: u32[64];
    shared s: u32[64];
    shared bar: barrier;
    if (thread.rank == 0) mbarrier.init(bar, 64);
    block.sync();
    mbarrier.wait(bar, 1);                          // a new barrier: the phase before it is over
    t[thread.rank] = x[thread.rank];
    if (thread.rank == 0) {
        z[0] = u32(mbarrier.try_wait(bar, 0));      // this thread has not arrived
        z[1] = u32(mbarrier.try_wait(bar, 1));
        mbarrier.expect(bar, 64);
        bulk.load(s, x, 48, 16, bar);
        mbarrier.arrive(bar, bytes = 32);
        bulk.load(s[16..24], x, 0, 8, bar);
    } else {
        mbarrier.arrive(bar);
    }
    mbarrier.wait(bar, 0);
    y[thread.rank] = t[63 - thread.rank] * (thread.rank < 24 ? s[thread.rank] : 1);
    if (thread.rank == 0) {
        z[2] = u32(mbarrier.try_wait(bar, 0));
        z[3] = u32(mbarrier.try_wait(bar, 1));
        z[4] = bulk.whole(x, 0, 64);
        z[5] = bulk.whole(x, 60, 64);
        z[6] = bulk.whole(x[1..64], 0, 64);           // not aligned to 16 bytes
        z[7] = bulk.whole(x, 4, 7);
    }
}
// CALL: phases(x=iota:64) -check
// EXPECT: y = [(63 - i) * (48 + i if i < 16 else i - 16 if i < 24 else 1) for i in range(64)]
// EXPECT: z = [0, 1, 1, 0, 64, 4, 0, 4]
