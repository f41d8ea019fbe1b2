// The literals of lists in a list become one type; a tuple's elements do place by place.
// RUN: %run-test %s
const TABLE = [[1.0, 2], [3, 4]];
kernel lists(x: in f64[2], y: out f64[10])
{
    let a = [[1.5, 2], [3, 4]];
    let b = [(1, 2.5), (3, 4)];
    let c = [[[1, 2]], [[3, x[0]]]];
    let d = [(1, [2, 3]), (4, [5.5, 6])];
    let same: f32[2, 2] = a;
    let (n, v) = b[1];
    let whole: i32 = n;
    let part: f32 = v;
    let wide: f64 = c[0, 0, 1];
    y[0] = f64(same[1, 0]); y[1] = f64(a[0, 0] / 2);
    y[2] = f64(whole / 2); y[3] = f64(part / 8);
    y[4] = wide; y[5] = c[1, 0, 1];
    y[6] = f64(TABLE[1, 0] / 2); y[7] = f64(TABLE[0, 1]);
    y[8] = f64(d[0][1][1] / 2); y[9] = f64(d[1][0] / 8);
}
// CALL: lists(x=[7, 8]) --block=1 --grid=1
// EXPECT: y = [3, 0.75, 1, 0.5, 2, 7, 1.5, 2, 1.5, 0]
