// Tuples: elements by number, in arrays, compared, passed and returned, written in part.
// RUN: %run-test %s
// CALL: k(y=zeros:7)
// EXPECT: y = [17, 7, 2, 1, 9, 4, 6]
fn swap(t: (i32, f32)) -> (f32, i32) = (t[1], t[0]);
fn first<A: type, B: type>(t: (A, B)) -> A = t[0];
struct P { at: (i32, i32); }
kernel k(y: inout i32[7]) launch(block = 1, grid = 1)
{
    var t = (1, 2.5);
    t[1] = 3.5;
    t[0] += 4;
    let (a, b) = swap(t);
    y[0] = i32(a * 2) + b + first(t);
    var ts: (i32, bool)[3];
    ts[1] = (5, true);
    y[1] = ts[1][0] + i32(ts[1][1]) + i32(ts[0] == (0, false));
    var (u, v) = (1, 2);
    (u, v) = (v, u);
    (y[2], y[3]) = (u, v);
    var p: P;
    (p.at[1], p.at[0]) = (4, 5);
    y[4] = p.at[0] + p.at[1];
    y[5] = i32(t != (5, 3.5)) + 4 * i32(p == P((5, 4)));
    let wide: (f64, i64) = (1.5, 4);
    y[6] = i32(wide[0] * f64(wide[1]));
}
