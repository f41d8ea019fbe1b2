// A tuple is laid out as a struct with the same elements.
// RUN: %run-test %s
// CALL: k(y=zeros:4)
// EXPECT: y = [16, 16, 8, 2]
struct P { a: u8; b: f64; }
kernel k(y: out u32[4]) launch(block = 1, grid = 1)
{
    (y[0], y[1], y[2]) = (sizeof<(u8, f64)>, sizeof<P>, alignof<(u8, f64)>);
    var t = (1u8, 2f64);
    y[3] = u32(ptr<P>(address(t))[0].b);
}
