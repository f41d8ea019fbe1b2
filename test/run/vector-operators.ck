// Operators and library functions work component by component; a scalar stands for all of them.
// RUN: %run-test %s
// CALL: k(x=rand:5, k=rand:5, y=zeros:5, z=zeros:5, w=zeros:5, i=zeros:5, b=zeros:5, s=zeros:5x3)
// EXPECT: y = np.fmax(2 * x - x[:, ::-1] / 3, abs(x))
// EXPECT: z = [[a[1], a[1], a[0] + 1, 7] for a in x]
// EXPECT: w = where(x < 0, -x, 1.0 * k)
// EXPECT: i = [[(v << 1) + 1 ^ (v >> 2) for v in r] for r in k]
// EXPECT: b = (x < 0.5) & (k != 3)
// EXPECT: s = [[sum(a), sum(a * r), 2.0 * np.any(a < -0.5) + 1.0 * np.all(r > -50)] for i in range(5) for a in [x[i]] for r in [k[i]]]
kernel k(x: in f32x4[5], k: in i32x4[5], y: out f32x4[5], z: out f32x4[5], w: out f32x4[5], i: out i32x4[5],
         b: out boolx4[5], s: out f32[5, 3])
    launch(block = 5, grid = 1)
{
    let t = thread.x;
    let (a, n) = (x[t], k[t]);
    y[t] = max(2 * a - a.wzyx / 3, abs(a));
    var v = a.yyxw;
    v.z += 1;
    v[t * 0 + 3] = 7;
    z[t] = v;
    w[t].xy = select(a < 0, -a, f32x4(n)).xy;
    w[t].wz = select(a < 0, -a, f32x4(n)).wz;
    var m = n << 1 | 1;
    m ^= n >> u32x4(2, 2, 2, 2);
    i[t] = m;
    b[t] = (a < 0.5) & (n != 3);
    s[t, 0] = sum(a);
    s[t, 1] = dot(a, f32x4(n));
    s[t, 2] = (any(a < -0.5) ? 2 : 0) + (all(n > -50) ? 1 : 0);
}
