// && and || look at their right side only if they must, and ?: at one side.
// RUN: %run-test %s
// CALL: k(n=3, x=[5, 6, 7], y=zeros:8)
// EXPECT: y = [1, 1, 1, 0, 0, 0, 0, 0]
fn mark(y: inout u32[], at: u32) -> bool { y[at] = 9; return true; }
kernel k(n: u32, x: in u32[n], y: inout u32[8]) launch(block = 1, grid = 1)
{
    if (!(n > 3 && mark(y, 5))) y[0] = 1;
    if (n == 3 || mark(y, 6)) y[1] = 1;
    let a = n == 3 ? true : mark(y, 7);
    if (a && (n > 3 ? x[2000000] : x[2]) == 7) y[2] = 1;
}
