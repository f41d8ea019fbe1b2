// A slice of an array has the array's rank.
// RUN: %run-test %s
fn corner(x: in i32[,]) -> i32 = x[0, 0] + 10 * x[x.extent(0) - 1, x.extent(1) - 1] + 1000 * i32(x.len);
fn deep(x: in i32[,,]) -> i32 = x[x.extent(0) - 1, 1, 2] + i32(x.extent(2));
kernel k(y: out i32[4]) launch(block = 1, grid = 1)
{
    shared s: i32[4, 3];
    for (i in 0..12) s[i / 3, i % 3] = i32(i);
    var v: i32[3, 2, 3];
    for (i in 0..18) v[i / 6, i / 3 % 2, i % 3] = i32(i);
    s[2..4][1, 1] = 50;
    y[0] = corner(s[1..3]);
    y[1] = deep(v[1..3]);
    y[2] = s[3, 1];
    y[3] = i32(v[0..2].len);
}
// CALL: k(y=zeros:4)
// EXPECT: y = [6083, 20, 50, 12]
