// Where overloads compete, a literal takes its type from the other arguments rather than that they are
// converted to its own.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: k(x=[100, 0, 0, 0, 0, 0])
// EXPECT: x = [100, 127, 255, 1, 2, 3]
fn f(a: i8, b: i8) -> i32 = 1;
fn f(a: u16, b: u16) -> i32 = 2;
fn f(a: i32, b: i32) -> i32 = 3;
kernel k(x: inout i32[6]) launch(block = 1, grid = 1)
{
    let v = i8(x[0]);
    x[1] = i32(add_sat(v, 100));
    x[2] = i32(add_sat(u8(v), 200));
    x[3] = f(v, 3);
    x[4] = f(u16(v), 3);
    x[5] = f(3, 4);
}
