// A call as the argument of a call of the same function, which is one expression.
// RUN: %run-test %s
fn ack(m: u32, n: u32) -> u32 = m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1));

kernel ackermann(y: out u32[3, 4]) launch(block = (4, 3), grid = 1)
{
    y[thread.y, thread.x] = ack(thread.y, thread.x);
}
// CALL: ackermann()
// EXPECT: y = [[1, 2, 3, 4], [2, 3, 4, 5], [3, 5, 7, 9]]
