// Fields, defaults, copies: a struct is a value.
// RUN: %run-test %s
// CALL: k(y=zeros:8)
// EXPECT: y = [3, 4, 9, 5, 7, 6, 5, 2]
struct P { x: f32; y: f32 = 4; }
struct Line { from: P; to: P = P(5); is_open: bool; }
fn moved(p: P, by: f32) -> P { var r = p; r.x += by; return r; }
kernel k(y: out f32[8]) launch(block = 1, grid = 1)
{
    let p = P(3);
    y[0] = p.x;
    y[1] = p.y;
    let q = moved(p, 6);
    y[2] = q.x;
    var line = Line(p, is_open = true);
    y[3] = line.to.x;
    let copy = line;
    line.from.x = 7;
    line.is_open = !copy.is_open;
    y[4] = line.from.x;
    y[5] = f32(copy.is_open) + f32(line.is_open) + P(y = 5, x = 9).y;
    line.to = moved(line.to, 0.0);
    y[6] = line.to.x;
    line.from = moved(line.from, -5);
    y[7] = line.from.x;
}
