// A vector of sixteen f64 that a thread holds while it waits, and of which it reads four.
// RUN: %run-test %s
// CALL: k(c=[0, 1, 0, 1], d=[0, 0, 1, 1], s=3, y=zeros:4, z=zeros:4)
// EXPECT: y = [14, 14, 6.75, 6.75]
// EXPECT: z = [107 + 4 + 4, 6.75 + 4 + 6.75, 107 + 6.75 + 4, 6.75 * 3]
kernel k(c: in bool[4], d: in bool[4], s: f64, y: out f64[4], z: out f64[4])
    launch(block = 4, grid = 1)
{
    let t = thread.rank;
    let (a, b) = (c[t], d[t]);
    let all = boolx16(a, b, a, true, a, b, a, a, b, a, a, b, b, a, a, a);
    let parts = f64x16(-100, s, s, s, s, s, s, s, s, s, s, -7, s, 0.25, s, s);
    let v = f64x16(7) + -select(all, f64x16(0.25), parts);
    let root = sqrt(v[5] * v[5]);
    block.sync();
    y[t] = v[11];
    z[t] = v[0] + root + v[6];
}
