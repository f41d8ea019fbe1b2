// << and >> are functions of a struct too, and <<= follows from <<.
// RUN: %run-test %s
// CALL: k(y=zeros:3)
// EXPECT: y = [12, 1, 48]
struct Fixed { v: i32; }
fn <<(a: Fixed, n: i32) -> Fixed = Fixed(a.v << n);
fn >><T: int>(a: Fixed, n: T) -> Fixed = Fixed(a.v >> n);
kernel k(y: out i32[3]) launch(block = 1, grid = 1)
{
    var a = Fixed(3);
    y[0] = (a << 2).v;
    y[1] = (a >> 1u8).v;
    a <<= 4;
    y[2] = a.v;
}
