// Vectors of bools that are chosen, in a loop too, and numbers that are chosen by them, decide.
// RUN: %run-test %s
// CALL: k(n=4, z=false, x=[3, 9, 2, 7], y=zeros:4x4)
// EXPECT: y = [[2, 6, 16, 2], [3, 2, 16, 3], [2, 7, 16, 2], [3, 3, 16, 3]]
kernel k(n: u32, z: bool, x: in u32[4], y: inout u32[4, 4]) launch(block = 4, grid = 1)
{
    let t = thread.rank;
    let c = u32x3(t, 5, n) >= u32x3(2, 3, x[t]);
    let d = x[t] > 5 ? u32x3(t, 5, 7) >= u32x3(1, 3, 9) : boolx3(z, true, false);
    if (d[0] | d[1] | d[2]) y[t, 0] = u32(d[0]) + 2 * u32(d[1]) + 4 * u32(d[2]);
    if (any(c)) y[t, 1] = u32(c[0]) + 2 * u32(c[1]) + 4 * u32(c[2]);
    var e = boolx3(z, true, z);
    for (i in 0..n) {
        if (any(e)) y[t, 2] += u32(e[0]) + 2 * u32(e[1]) + 4 * u32(e[2]);
        e = x[i] > 5 ? e | boolx3(i > 2, z, true) : e;
    }
    let f = select(d, u32x3(1, 2, 3), u32x3(4, 5, 6)) == u32x3(1, 2, 3);
    if (any(f)) y[t, 3] = u32(f[0]) + 2 * u32(f[1]) + 4 * u32(f[2]);
}
