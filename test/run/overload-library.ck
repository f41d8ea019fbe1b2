// A function of the user's joins the library's of its name: it comes first, where it fits.
// RUN: %run-test %s
// CALL: k(y=zeros:4)
// EXPECT: y = [5, 4, 9, 7]
struct P { x: f32; }
fn max(a: P, b: P) -> P = a.x < b.x ? b : a;
fn abs(x: f32) -> f32 = 9.0;
kernel k(y: out f32[4]) launch(block = 1, grid = 1)
{
    y[0] = max(P(5), P(1)).x;
    y[1] = max(3.0, 4.0);
    y[2] = abs(-1.0);
    y[3] = P(2).max(P(7)).x.max(1);
}
