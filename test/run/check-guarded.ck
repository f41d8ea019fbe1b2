// A checked build tests a `let` where an index uses it, not where it stands: its guard may be between.
// REQUIRES: ckc, host
// RUN: %run-test %s
kernel reversed(x: in u32[4], y: inout u32[4]) launch(block = 4, grid = 1)
{
    let i = 2u32 - thread.x;
    if (thread.x <= 2) y[thread.x] = x[i];
}
// CALL: reversed(x=[1, 2, 3, 4], y=zeros:4) -check
// EXPECT: y = [3, 2, 1, 0]

kernel neighbours(n: u64, x: in u32[n], y: out u32[n]) launch(block = 4, grid = 1)
{
    let i = u64(thread.x);
    let left = i - 1;
    let right = i + 1;
    y[i] = (i > 0 ? x[left] : 0) + (right < n ? x[right] : 0);
}
// CALL: neighbours(x=[1, 2, 3, 4]) -check
// EXPECT: y = [2, 4, 6, 3]

kernel used(x: in u32[4], y: inout u32[4]) launch(block = 4, grid = 1)
{
    let i = 2u32 - thread.x;
    y[thread.x] = x[i];                 // thread 3 reads x[4294967295]: this is the mistake
}
// CALL: used(x=[1, 2, 3, 4], y=zeros:4) -check
// EXPECT-ERROR: thread: [3,0,0]
