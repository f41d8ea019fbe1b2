// What a thread writes and then reads through one of two parameters is what it has written.
// RUN: %run-test %s
// CALL: k(c=[0, 1, 0, 1], x=[1, 2, 3, 4], w=[5, 6, 7, 8], y=zeros:4)
// EXPECT: y = [10, 2, 14, 4]
fn chosen(c: bool, x: in f32[], w: in f32[], t: u32) -> f32 = c ? x[t] : w[t];
kernel k(c: in bool[4], x: in f32[4], w: inout f32[4], y: out f32[4]) launch(block = 4, grid = 1)
{
    let t = thread.rank;
    w[t] += w[t];
    y[t] = chosen(c[t], x, w, t);
}
