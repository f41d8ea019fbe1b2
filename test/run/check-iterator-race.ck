// A checked build finds races and unwritten reads that go through iterators.
// REQUIRES: ckc, host
// RUN: %run-test %s
kernel written_twice(y: inout u32[8]) launch(block = 8, grid = 1)
{
    y.drop(0)[0] = thread.x;            // all threads write y[0]
}
// TAGS: no_gpu
// CALL: written_twice(y=zeros:8) -check
// EXPECT-ERROR: race

kernel no_barrier(x: inout u32[8], y: out u32[8]) launch(block = 8, grid = 1)
{
    x[thread.x] = 1;
    y[thread.x] = x.reverse()[thread.x];        // what another thread writes
}
// TAGS: no_gpu
// CALL: no_barrier(x=zeros:8) -check
// EXPECT-ERROR: race

kernel unwritten(y: out u32[8]) launch(block = 8, grid = 1)
{
    shared s: u32[8];
    y[thread.x] = s[0..8].reverse()[thread.x];
}
// TAGS: no_gpu
// CALL: unwritten() -check
// EXPECT-ERROR: no thread has written
