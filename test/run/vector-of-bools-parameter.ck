// A vector of bools is a kernel's parameter: its components are conditions.
// RUN: %run-test %s
kernel chosen(m: boolx4, y: inout i32[4]) launch(block = 4, grid = 1)
{
    y[thread.x] = m[thread.x] ? 1 : 2;
    if (m.x && !m.y) y[thread.x] += 10;
}
// CALL: chosen(m=(true, false, true, false), y=zeros:4)
// EXPECT: y = [11, 12, 11, 12]
