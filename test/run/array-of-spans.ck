// A list of spans is an array of views: its elements are indexed, and visited.
// RUN: %run-test %s
kernel last(w: in u32[8], y: out u32[3]) launch(block = 1, grid = 1)
{
    let rows = [w[0..4], w[4..8]];
    y[0] = rows[1][0];
    y[1] = u32(rows[0].len);
    for (r in rows) y[2] = r[3];
}
// CALL: last(w=iota:8)
// EXPECT: y = [4, 4, 7]
