// Lengths of iterators: at most, the rest, rounded up, 0 where a window does not fit.
// RUN: %run-test %s
// CALL: k(x=iota:7, y=zeros:9)
// EXPECT: y = [7, 5, 0, 3, 7, 2, 0, 3, 4]
kernel k(n: u64, x: in f32[n], y: out u64[9]) launch(block = 1, grid = 1)
{
    (y[0], y[1], y[2]) = (x.take(99).len, x.drop(2).len, x.drop(99).len);
    (y[3], y[4], y[5]) = (x.strided(3).len, x.map(|v| v).len, zip(x, x.take(2)).len);
    (y[6], y[7], y[8]) = (x.window<9>().len, x.window<5>().len, x.gather(x.take(4)).len);
}
