// A checked build stops at a copy of N elements that are not all in their extents, on either side.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: copy(n=6, at=4, to=0, x=iota:6, y=zeros:8) -check
// EXPECT-ERROR: 'x[at]': 4 elements from index 4 on are not all in its extent, 6
// CALL: copy(n=8, at=4, to=5, x=iota:8, y=zeros:8) -check
// EXPECT-ERROR: 't[to]': 4 elements from index 5 on are not all in its extent, 8
// CALL: copy(n=8, at=4, to=4, x=iota:8, y=zeros:8) -check
// EXPECT: y = [0, 0, 0, 0, 4, 5, 6, 7]
kernel copy(n: u32, at: u32, to: u32, x: in f32[n], y: out f32[8]) launch(block = 1, grid = 1)
{
    shared t: f32[8];
    for (i in 0..8) t[i] = 0;
    memcpy_async<4>(t[to], x[at]);
    pipeline.wait();
    for (i in 0..8) y[i] = t[i];
}

// What is not given is not read: x may end there, t may not.
// CALL: some(n=6, at=4, to=4, x=iota:6, y=ones:8) -check
// EXPECT: y = [0, 0, 0, 0, 4, 5, 0, 0]
// CALL: some(n=6, at=4, to=6, x=iota:6, y=ones:8) -check
// EXPECT-ERROR: 't[to]': 4 elements from index 6 on are not all in its extent, 8
kernel some(n: u32, at: u32, to: u32, x: in f32[n], y: out f32[8]) launch(block = 1, grid = 1)
{
    shared t: f32[8];
    for (i in 0..8) t[i] = 0;
    memcpy_async<4>(t[to], x[at], valid = n - at);
    pipeline.wait();
    for (i in 0..8) y[i] = t[i];
}
