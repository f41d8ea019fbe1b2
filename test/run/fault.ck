// An assertion that fails and a trap stop the program on every device, and the message of the
// assertion has its place and its thread.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: check_ones(n=100, x=ones:100)
// EXPECT: x = 1
// CALL: check_ones(n=100, x=2 - arange(100) // 99)
// EXPECT-ERROR: fault.ck:15: check_ones: block: [3,0,0], thread: [2,0,0] Assertion `every element is 1` failed.
// EXPECT-ERROR: error:
kernel check_ones(n: u32, x: inout f32[n]) launch(block = 32, grid = ceil_div(n, 32))
{
    let i = grid.thread_rank;
    // Thread 98 alone has a wrong neighbour behind it.
    if (i == 98)
        assert(x[i] == 1, "every element is 1");
}

// CALL: check_sign(x=[1])
// EXPECT: x = 1
// CALL: check_sign(x=[-1])
// EXPECT-ERROR: error:
kernel check_sign(x: inout i32[1]) launch(block = 1, grid = 1)
{
    if (x[0] < 0) trap();
}
