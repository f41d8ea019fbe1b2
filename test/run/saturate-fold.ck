// A saturating difference of which a part is on both sides.
// RUN: %run-test %s
// CALL: k(x=[5, -2147483648, 2147483647, -7], m=[3, 3, 3, 2147483647], d=zeros:4, s=zeros:4)
// EXPECT: d = [-3, -3, 2147483647, -2147483647]
// EXPECT: s = [3, -2147483648, 3, -2147483648]
kernel k(x: in i32[4], m: in i32[4], d: out i32[4], s: out i32[4]) launch(block = 4, grid = 1)
{
    let t = thread.rank;
    d[t] = sub_sat(x[t], m[t] + x[t]);
    s[t] = add_sat(m[t] - x[t], x[t]);
}
