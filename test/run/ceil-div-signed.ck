// ceil_div(a, b) is a / b rounded up, whatever the signs: -6 / 5 is -1.2, and up from there is -1.
// '/' goes towards zero, so a quotient below zero that is not whole is rounded up already.
// RUN: %run-test %s
kernel signs(n: u32, a: in i32[n], b: in i32[n], q: out i32[n]) launch(block = 32, grid = 1)
{
    if (thread.x < n) q[thread.x] = ceil_div(a[thread.x], b[thread.x]);
}
// CALL: signs(a=[-6, 6, -6, 6, -7, 7, -7, 7], b=[5, -5, -5, 5, 3, -3, -3, 3])
// EXPECT: q = [-1, -1, 2, 2, -2, -2, 3, 3]
// CALL: signs(a=[-1, 1, -10, 10, -2147483648], b=[2, -2, 5, -5, 3])
// EXPECT: q = [0, 0, -2, -2, -715827882]
