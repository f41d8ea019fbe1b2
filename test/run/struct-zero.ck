// A struct that is declared without a value is zeros, not its defaults; what is in it as well.
// RUN: %run-test %s
// CALL: k(y=ones:4)
// EXPECT: y = [0, 0, 0, 0]
struct P { x: f32 = 3; on: bool = true; v: f32[5]; }
struct Q { p: P[3]; d: f64; }
kernel k(y: out f32[4]) launch(block = 1, grid = 1)
{
    var p: P;
    var q: Q;
    y[0] = p.x;
    y[1] = f32(p.on);
    y[2] = q.p[2].v[4];
    y[3] = f32(q.d);
}
