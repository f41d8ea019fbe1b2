// The greatest and the least of three numbers, any of them negated.
// RUN: %run-test %s
kernel k(x: in i32x4[4], a: out i32[4], b: out i32[4], c: out i32[4], d: out i32[4]) launch(block = 4, grid = 1)
{
    let v = x[thread.rank];
    a[thread.rank] = max(max(v.x, -v.y), v.z);
    b[thread.rank] = min(min(v.x, -v.y), -v.z);
    c[thread.rank] = max(max(v.x, -v.x), v.y);
    d[thread.rank] = min(v.w, max(abs(v.x), v.z));
}
// CALL: k(x=[(1, 2, -3, 4), (-9, -7, 5, 1), (-2147483648, 3, -5, 0), (8, -8, 8, 100)])
// EXPECT: a = [1, 7, -3, 8]
// EXPECT: b = [-2, -9, -2147483648, -8]
// EXPECT: c = [2, 9, 3, 8]
// EXPECT: d = [1, 1, -5, 8]
