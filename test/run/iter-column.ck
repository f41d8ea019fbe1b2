// A column and a row of a span of two extents are iterators, to read, to write and to be chained.
// RUN: %run-test %s
fn total<I: type>(it: I) -> f32 { var s = 0.0; for (v in it) s += v; return s; }
kernel columns(h: u32, w: u32, m: in f32[h, w], sums: out f32[w], turned: out f32[w, h], y: out f32[2])
    launch(block = 32, grid = 1)
{
    let j = thread.x;
    if (j < w) {
        sums[j] = total(m.column(j));
        let to = turned.row(j);
        for (i in 0..h) to[i] = m.column(j)[i];
    }
    if (j > 0) return;
    y[0] = total(m[1..h].row(0).reverse().take(2));
    y[1] = f32(m.column(0).len * 10 + m.row(0).len);
}
// CALL: columns(m=iota:3x4)
// EXPECT: sums = [12, 15, 18, 21]
// EXPECT: turned = [[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]]
// EXPECT: y = [13, 34]
