// An operator as an argument is the one with two operands.
// RUN: %run-test %s
// CALL: k(y=zeros:7)
// EXPECT: y = [4, 21, 2, 1, 5, 1, 1]
fn of<T: type, F: fn>(f: F, a: T, b: T) = f(a, b);
kernel k(y: out i32[7]) launch(block = 1, grid = 1)
{
    (y[0], y[1], y[2]) = (of(-, 7, 3), of(*, 7, 3), of(/, 7, 3));
    (y[3], y[4]) = (of(%, 7, 3), of(|, 4, 1));
    (y[5], y[6]) = (i32(of(||, true, false)), i32(of(>=, 7, 3)));
}
