// The sign of 0 is lost in |x| and kept in -x, where x is one of two constants too.
// RUN: %run-test %s
fn sign(x: f32) -> u32 = bit_cast<u32>(x) >> 31;
kernel k(x: in f32[4], w: in f32[4], a: out u32[4], b: out u32[4], c: out f32[4], d: out u32[4])
    launch(block = 4, grid = 1)
{
    let t = thread.rank;
    let down = x[t] > 0 ? -16.0 : 0.0;
    let up = x[t] > 0 ? 16.0 : -0.0;
    a[t] = sign(-abs(down));
    b[t] = sign(abs(up * max(w[t], 1.0)));
    c[t] = copysign(down, down / w[t]);
    d[t] = sign(copysign(down, w[t]));
}
// CALL: k(x=[1, 1, 0, 0], w=[2, -2, 2, -2])
// EXPECT: a = [1, 1, 1, 1]
// EXPECT: b = [0, 0, 0, 0]
// EXPECT: c = [-16, 16, 0, 0]
// EXPECT: d = [0, 1, 0, 1]
