// Vectors of any type and count: made of parts, converted, indexed, passed, in arrays and shared memory.
// RUN: %run-test %s
// CALL: k(a=rand:4, h=rand:4, u=rand:4, y=zeros:4, q=zeros:4, r=zeros:4, d=zeros:4x3)
// EXPECT: y = array([a[:, 0], a[:, 1], h[:, 0], 2 * h[:, 1]]).T
// EXPECT: q = (u[:, ::-1] + arange(4)[:, None]) % 256
// EXPECT: r = [[*trunc(f32(3 * v)), 0, 5, 0, 6] for v in a]
// EXPECT: d = [[a[t, t % 3] * 2, bf16(f32(a[t, 2] * 1.5)), a[t, 3]] for t in range(4)]
fn doubled<T: number, const N: u32>(v: vec<T, N>) -> vec<T, N> = v + v;
fn reversed(v: u8x16) -> u8x16 {
    var r: u8x16;
    for (i in 0..16) r[15 - i] = v[i];
    return r;
}
kernel k(a: in f32x4[4], h: in f16x2[4], u: in u8x16[4], y: out f32x4[4], q: out u8x16[4], r: out bf16x8[4],
         d: out f64[4, 3])
    launch(block = 4, grid = 1)
{
    shared tile: f32x4[4];
    let t = thread.x;
    tile[t] = a[t];
    block.sync();
    var part: f64x3[2];
    part[1] = doubled(f64x3(tile[t].xyz));
    y[t] = f32x4(tile[t].xy, h[t].x, f32(2 * h[t].y));
    q[t] = reversed(u[t]) + u8(t);
    let whole = i32x4(a[t] * 3);
    r[t] = bf16x8(bf16x4(whole), 0, 5, bf16x2(vec<i16, 2>(0, 6)));
    d[t, 0] = part[1][t % 3];
    d[t, 1] = f64(bf16(a[t].z * 1.5));
    (d[t, 2], part[0].x) = (f64(a[t].w), 1f64);
}
