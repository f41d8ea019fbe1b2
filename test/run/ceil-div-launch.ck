// The host works out a launch, and extents, by the same ceil_div as the kernel. With n = -6 the launch
// has 1 - (-1) = 2 blocks and 's' has 2 - (-1) = 3 elements; the kernel must come to the same numbers.
// RUN: %run-test %s
kernel blocks(n: i32, y: inout i32[2]) launch(block = 1, grid = 1 - ceil_div(n, 5))
{
    if (block.id.x > 0) return;
    y[0] = i32(grid.dim.x);
    y[1] = 1 - ceil_div(n, 5);
}
// CALL: blocks(n=-6, y=zeros:2)
// EXPECT: y = 2

kernel extents(n: i32, x: out i32[2 - ceil_div(n, 5)], y: out i32[2]) launch(block = 1, grid = 1)
{
    shared s: i32[dyn 2 - ceil_div(n, 5)];
    y[0] = i32(s.len);                  // the host gave it 3 * 4 bytes
    y[1] = i32(x.len);
    for (i in 0..x.len) x[i] = 1;
}
// CALL: extents(n=-6)
// EXPECT: y = 3
// EXPECT: x = 1
