// The range of a loop is worked out once, before the first turn.
// RUN: %run-test %s
// CALL: k(y=zeros:3)
// EXPECT: y = [1, 3, 2]
fn end(y: inout i32[]) -> i32 { y[0] += 1; return 3; }
kernel k(y: inout i32[3]) launch(block = 1, grid = 1)
{
    for (i in 0..end(y)) y[1] += 1;
    var n = 2;
    for (i in 0..n) { n = 9; y[2] += 1; }
}
