// a > b by the function for < works out a before b, as it is written.
// RUN: %run-test %s
// CALL: k(y=zeros:2)
// EXPECT-OUTPUT: made 1
// EXPECT-OUTPUT: made 2
// EXPECT-OUTPUT: made 3
// EXPECT-OUTPUT: made 4
// EXPECT: y = [0, 1]
struct P { x: f32; }
struct Q { x: f32; }
fn <(a: P, b: P) -> bool = a.x < b.x;
fn <(a: Q, b: Q) -> bool { return a.x < b.x; }
fn made(x: f32) -> f32 { print("made {}", x); return x; }
kernel k(y: out i32[2]) launch(block = 1, grid = 1)
{
    y[0] = i32(P(made(1)) > P(made(2)));
    y[1] = i32(Q(made(3)) <= Q(made(4)));
}
