// The lowest number's abs() is itself, below 0, in whatever is done with it.
// RUN: %run-test %s
kernel k(x: in i32[4], l: in i64[4], m: in i32[4], a: out i32[4], b: out i32[4], c: out i64[4], d: out i64[4])
    launch(block = 4, grid = 1)
{
    let t = thread.rank;
    a[t] = abs(x[t]) % m[t];
    b[t] = abs(x[t]) < 0 ? 1 : abs(x[t]) / 3;
    c[t] = abs(l[t]) < 0 ? 1 : 2;
    d[t] = i64(abs(x[t])) + abs(l[t]) % 7;
}
// CALL: k(x=[-2147483648, -5, 6, 2147483647], l=[-9223372036854775808, -1, 0, 5], m=[1000, 3, -4, 7])
// EXPECT: a = [-648, 2, 2, 1]
// EXPECT: b = [1, 1, 2, 715827882]
// EXPECT: c = [1, 2, 2, 2]
// EXPECT: d = [-2147483649, 6, 6, 2147483652]
