// A function that is one expression may call itself: it becomes a call, as one with statements does.
// RUN: %run-test %s
fn one(n: u32) -> u32 = n < 2 ? n : one(n - 1) + one(n - 2);
fn two(n: u32) -> u32 { if (n < 2) return n; return two(n - 1) + two(n - 2); }

kernel fibonacci(y: out u32[16], z: out u32[16]) launch(block = 16, grid = 1)
{
    y[thread.x] = one(thread.x);
    z[thread.x] = two(thread.x);
}
// CALL: fibonacci()
// EXPECT: y = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610]
// EXPECT: z = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610]
