// Division by zero, shifts and wrapping integers keep their meaning in a checked build.
// RUN: %run-test %s
// CALL: k(zero=0, y=zeros:4) -check
// EXPECT: y = [4294967295, 5, 2, 0]
kernel k(zero: u32, y: out u32[4]) launch(block = 1, grid = 1)
{
    y[0] = 5 / zero;
    y[1] = 5 % zero;
    y[2] = (zero + 1) << (zero + 33);
    y[3] = zero + 4294967295 + 1;
}
