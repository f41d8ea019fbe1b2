// x[lo..hi] is a view of some rows: of a span, of an array, of shared memory; slices of slices.
// RUN: %run-test %s
// CALL: k(x=iota:12, y=zeros:12)
// EXPECT: y = [5, 4, 6, 22, 5, 5, 7, 7, 4, 3, 3, 0]
fn sum(x: in i32[]) -> i32 { var s = 0; for (i in 0..x.len) s += x[i]; return s; }
fn corner(x: in i32[,]) -> i32 = x[x.extent(0) - 1, x.extent(1) - 1] + i32(x.len);
fn fill(x: out i32[], v: i32) { for (i in 0..x.len) x[i] = v; }
fn tail(x: in i32[]) = x[1..x.len];
fn last<T: type>(x: in T[,]) -> T = x[x.extent(0) - 1, x.extent(1) - 1];
kernel k(x: in i32[4, 3], y: out i32[12]) launch(block = 1, grid = 1)
{
    var v = [1, 2, 3, 4];
    y[0] = sum(v[1..3]);
    y[1] = i32(v[0..4].len);
    y[2] = i32(x[1..3].len);
    let rows = x[1..4];
    y[3] = rows[1, 1] + rows[2, 0] + sum(tail(tail(v[0..3]))) * 2 - 0;
    let out_part = y[4..8];
    fill(out_part, 7);
    fill(out_part[0..2], 5);
    shared s: i32[8];
    fill(s, 1);
    fill(s[2..4], 2);
    y[8] = sum(s[1..4]) - 1;
    let n = 1u32;
    let some = tail(s)[n..n + 2];
    y[9] = sum(some) - 1 + i32(last(x)) * 0;
    y[10] = corner([[1, 2], [3, 4]]) - 5;
}
