// What a program works out and what the compiler works out are the same: ceil_div of constants rounds
// up below zero too. -6 / 5 is -1.2, which is -1 rounded up; 6 / -5 is the same number.
// RUN: %run-test %s
static_assert(ceil_div(-6, 5) == -1, "-6 / 5 rounded up is -1");
static_assert(ceil_div(6i64, -5i64) == -1, "6 / -5 rounded up is -1");
static_assert(ceil_div(-7i16, 3i16) == -2, "-7 / 3 rounded up is -2");
static_assert(ceil_div(-6, -5) == 2, "-6 / -5 rounded up is 2");

kernel divided(x: in i32[4], y: out i32[4]) launch(block = 4, grid = 1)
{
    y[thread.x] = ceil_div(x[thread.x], -4);    // a constant divisor
}
// CALL: divided(x=[-9, 9, -8, 8])
// EXPECT: y = [3, -2, 2, -2]
