// ceil_div rounds up below zero too, of every width, as a constant and in the launch; by 0 it is all ones.
// RUN: %run-test %s
static_assert(ceil_div(-6, 5) == -1 && ceil_div(6i64, -5i64) == -1 && ceil_div(-7i16, 3i16) == -2 && ceil_div(-7, -3) == 3, "up");
kernel signs(a: in i32[8], b: in i32[8], q: out i32[8], w: out i64[8], n: out i16[8]) launch(block = 8, grid = 1)
{
    let i = thread.x;
    q[i] = ceil_div(a[i], b[i]);
    w[i] = ceil_div(i64(a[i]), i64(b[i]));
    n[i] = ceil_div(i16(a[i]), i16(b[i]));
}
// CALL: signs(a=[-6, 6, -6, 6, -7, 7, 0, 5], b=[5, -5, -5, 5, 7, 3, -4, 0])
// EXPECT: q = [-1, -1, 2, 2, -1, 3, 0, -1]
// EXPECT: w = [-1, -1, 2, 2, -1, 3, 0, -1]
// EXPECT: n = [-1, -1, 2, 2, -1, 3, 0, -1]
kernel blocks(n: i32, y: out i32[1 - ceil_div(n, 5)]) launch(block = 1, grid = 1 - ceil_div(n, 5))
{
    y[block.id.x] = ceil_div(n, 5) + i32(grid.dim.x);
}
// CALL: blocks(n=-6)
// EXPECT: y = [1, 1]
