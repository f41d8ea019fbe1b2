// Arrays are values: copied, passed, returned, compared; lists make them.
// RUN: %run-test %s
// CALL: k(y=zeros:9)
// EXPECT: y = [10, 10, 4329, 3, 4, 21, 7, 3, 12]
fn sum(v: i32[4]) -> i32 { var s = 0; for (i in 0..4) s += v[i]; return s; }
fn reversed<T: type, const N: i32>(v: T[N]) -> T[N] {
    var r: T[N];
    for (i in 0..N) r[i] = v[N - 1 - i];
    return r;
}
fn total<T: number, const N: u32, const M: u32>(v: T[N, M]) -> T {
    var s = T(0);
    for (i in 0..N) for (j in 0..M) s += v[i, j];
    return s;
}
kernel k(y: out i32[9]) launch(block = 1, grid = 1)
{
    var v = [1, 2, 3, 4];
    y[0] = sum(v);
    let w = v;
    v[0] = 9;
    y[1] = w[0] + v[0];
    v = [v[3], v[2], v[1], v[0]];
    y[2] = v[0] * 1000 + v[1] * 100 + v[2] * 10 + v[3];
    y[3] = i32(v == [4, 3, 2, 9]) + 2 * i32(v != w);
    v = reversed(w);
    y[4] = v[0];
    y[5] = total([[1, 2, 3], [4, 5, 6]]);
    let mixed = [0.5, 1, 2u8 == 2 ? 7 : 8];
    y[6] = i32(mixed[2]);
    var large: i32[5000];
    var other = large;
    other[4999] = 2;
    y[7] = i32(large != other) + 2 * i32(large == large);
    v = reversed(reversed(v));
    y[8] = reversed([v, w])[1][0] * 3;
}
