// The names of iterators are free: what the program declares comes first.
// RUN: %run-test %s
// CALL: names(x=iota:4, y=zeros:6)
// EXPECT: y = [10, 3, 7, 2, 3, 8]
struct Take { zip: f32; }
const drop = 2;
fn count(x: in f32[], v: f32) -> f32 { var n = 0.0; for (e in x) if (e < v) n += 1; return n; }
fn map(a: f32) -> f32 = a + 10;
fn take(t: Take, n: f32) -> f32 = t.zip + n;
kernel names(x: in f32[4], y: out f32[6]) launch(block = 1, grid = 1)
{
    y[0] = map(x[0]);
    y[1] = x.count(3);
    y[2] = Take(3).take(4);
    y[3] = f32(drop);
    let zip = |v| v + 1;
    y[4] = zip(2.0);
    y[5] = x.take(3).map(|v| v * 4).window<2>()[1][1];
    let shuffle = warp.shuffle(1, 0);
}
