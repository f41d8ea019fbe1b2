// Functions named by operators, and those that follow from them: > from <, != from ==, += from +.
// RUN: %run-test %s
// CALL: k(y=zeros:10)
// EXPECT: y = [4, -1, 6, 1, 0, 1, 0, 9, 12, 35]
struct P { x: f32; y: f32; }
fn +(a: P, b: P) -> P = P(a.x + b.x, a.y + b.y);
fn -(a: P) -> P = P(-a.x, -a.y);
fn *(a: P, s: f32) -> P = P(a.x * s, a.y * s);
fn *(s: f32, a: P) -> P = a * s;
fn <(a: P, b: P) -> bool = a.x < b.x;
struct Table { at: f32[4]; fn [](i: u32) -> f32 = 10 * self.at[i]; }
struct Probe { unused: i32 = 0; }
fn [](p: Probe, i: i32, j: i32) -> i32 = 10 * i + j;
kernel k(y: inout f32[10]) launch(block = 1, grid = 1)
{
    let a = P(1, 2);
    let b = P(3, 4);
    y[0] = (a + b).x;
    y[1] = (-a).x;
    y[2] = (a * 2 + 2 * a).x + (a + -a).x + 2;
    y[3] = f32(b > a);
    y[4] = f32(a >= b);
    y[5] = f32(a <= a);
    y[6] = f32(a == b);
    var v: P[2];
    var i = 0;
    v[i] += P(9, 9);
    y[7] = v[0].x;
    var t: Table;
    t.at[2] = 1.2;
    y[8] = t[2];
    y[9] = f32(Probe()[3, 5]);
}
