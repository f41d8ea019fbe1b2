// Tuples swap; a compound assignment works out its place once; arrays are copied, not shared.
// RUN: %run-test %s
// CALL: k(x=[1, 2, 3, 4], n=zeros:1)
// EXPECT: x = [2, 1, 103, 5]
// EXPECT: n = [1]
fn next(n: inout u32[]) -> u32 { n[0] += 1; return n[0] + 1; }
kernel k(x: inout u32[4], n: inout u32[1]) launch(block = 1, grid = 1)
{
    (x[0], x[1]) = (x[1], x[0]);
    x[next(n)] += 100;
    var a: u32[2];
    a[1] = 5;
    let b = a;
    a[1] = 6;
    x[3] = b[1] + b[0];
}
