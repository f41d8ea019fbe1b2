// A tuple holds spans: an element of it is a view, as the span itself.
// RUN: %run-test %s
kernel viewed(x: inout u32[8], w: in u32[8], y: out u32[4]) launch(block = 1, grid = 1)
{
    let t = (x, w[2..6], 5);
    t[0][1] = 70;                       // writes x[1]
    y[0] = t[0][1] + u32(t[2]);
    y[1] = t[1][0];                     // w[2]
    y[2] = u32(t[1].len);
    let first = t[0];
    y[3] = first[2];
}
// CALL: viewed(x=iota:8, w=iota:8)
// EXPECT: y = [75, 2, 4, 2]
// EXPECT: x = [0, 70, 2, 3, 4, 5, 6, 7]
