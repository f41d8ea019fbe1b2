// An atomic.exchange whose value goes nowhere only writes: it may give shared memory its first value.
// REQUIRES: ckc, host
// RUN: %run-test %s
kernel first_value(y: out u32[1]) launch(block = 64, grid = 1)
{
    shared s: u32[1];
    atomic.exchange(s[0], 7, scope = block);
    block.sync();
    if (thread.x == 0) y[0] = s[0];
}
// CALL: first_value() -check
// EXPECT: y = 7

kernel by_one_thread(y: out f32[1]) launch(block = 64, grid = 1)
{
    shared s: f32[2];
    if (thread.x < 2) atomic.exchange(s[thread.x], f32(thread.x) + 0.5);
    block.sync();
    if (thread.x == 0) y[0] = s[0] + s[1];
}
// CALL: by_one_thread() -check
// EXPECT: y = 2

kernel added(y: out u32[1]) launch(block = 64, grid = 1)
{
    shared s: u32[1];
    atomic.add(s[0], 1);
    block.sync();
    if (thread.x == 0) y[0] = s[0];
}
// TAGS: no_gpu
// CALL: added() -check
// EXPECT-ERROR: no thread has written
