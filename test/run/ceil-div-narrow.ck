// ceil_div takes every integer type. Below zero, i8, i16 and i64 are rounded up as i32 is: up from
// -1.2 is -1, up from -1.008 (-128 / 127) is -1.
// RUN: %run-test %s
kernel narrow(a: in i32[4], b: in i32[4], y: out i8[4], z: out i16[4], w: out i64[4])
    launch(block = 4, grid = 1)
{
    let i = thread.x;
    y[i] = ceil_div(i8(a[i]), i8(b[i]));
    z[i] = ceil_div(i16(a[i]), i16(b[i]));
    w[i] = ceil_div(i64(a[i]) * 1000000000000, i64(b[i]) * 1000000000000);
}
// CALL: narrow(a=[-6, 6, -128, 9], b=[5, -5, 127, -2])
// EXPECT: y = [-1, -1, -1, -4]
// EXPECT: z = [-1, -1, -1, -4]
// EXPECT: w = [-1, -1, -1, -4]
