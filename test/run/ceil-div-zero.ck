// x / 0 is all ones, the largest unsigned value or -1: there is nothing to round up. ceil_div(x, 0) is
// the same value.
// RUN: %run-test %s
kernel by_zero(z: in u32[1], y: out u32[3], w: out i32[3]) launch(block = 1, grid = 1)
{
    y[0] = ceil_div(5 + z[0], z[0]);
    y[1] = ceil_div(z[0], z[0]);
    y[2] = (5 + z[0]) / z[0];
    w[0] = ceil_div(i32(5 + z[0]), i32(z[0]));
    w[1] = ceil_div(-5 - i32(z[0]), i32(z[0]));
    w[2] = i32(ceil_div(u8(5 + z[0]), u8(z[0])));
}
// CALL: by_zero(z=[0])
// EXPECT: y = 4294967295
// EXPECT: w = [-1, -1, 255]
