// Loops reach the last value of a type and end; a step never oversteps.
// RUN: %run-test %s
// CALL: count(lo=250, hi=255, step=3, y=zeros:4)
// EXPECT: y = [5, 2, 0, 255]
// CALL: count(lo=0, hi=255, step=200, y=zeros:4)
// EXPECT: y = [255, 2, 0, 255]
// CALL: count(lo=9, hi=9, step=1, y=zeros:4)
// EXPECT: y = [0, 0, 0, 255]
kernel count(lo: u8, hi: u8, step: u8, y: inout u32[4]) launch(block = 1, grid = 1)
{
    for (i in lo..hi) y[0] += 1;
    for (i in (lo..hi).step(step)) y[1] += 1;
    for (i in hi..lo) y[2] += 1;
    for (i in -128i8..127i8) y[3] += 1;
}
