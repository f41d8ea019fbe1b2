// A function's shared memory is free for the next turn of a loop: behind recursion, and under copies.
// RUN: %run-test %s
// CALL: recursive(x=iota:64, y=zeros:64) -check
// EXPECT: y = (arange(64) + 5) % 64 + 2
// CALL: copied(x=iota:64, y=zeros:64) -check
// EXPECT: y = (arange(64) + 5) % 64 + 63 - arange(64)
fn next(v: u32) -> u32 {
    shared all: u32[64];
    all[thread.rank] = v;
    block.sync();
    return all[(thread.rank + 1) % 64];
}
fn again(a: u32, n: u32) -> u32 {
    if (n == 0) return a;
    return again(a + 1, n - 1);
}
kernel recursive(x: in u32[64], y: out u32[64]) launch(block = 64, grid = 1)
{
    let two = again(0, 2);
    var v = x[thread.rank];
    for (i in 0..5) v = next(v);
    y[thread.rank] = v + two;
}
kernel copied(x: in u32[64], y: out u32[64]) launch(block = 64, grid = 1)
{
    shared buffer: u32[64];
    memcpy_async(buffer[thread.rank], x[thread.rank]);
    var v = x[thread.rank];
    for (i in 0..5) v = next(v);
    pipeline.commit();
    pipeline.wait();
    block.sync();
    y[thread.rank] = v + buffer[63 - thread.rank];
}
