// Three components of a constant take the room of four, before a field and before the next element.
// RUN: %run-test %s
struct Row { at: u8x3; to: u32x3; by: u32; }
const rows: Row[2] = [Row(u8x3(1, 2, 3), u32x3(4, 5, 6), 7), Row(u8x3(8), u32x3(9), 10)];
const pairs: vec<bool, 3>[2] = [vec<bool, 3>(true, false, true), vec<bool, 3>(true)];
kernel k(i: u32, y: out u32[5]) launch(block = 1, grid = 1)
{
    let row = rows[i];
    (y[0], y[1], y[2], y[3]) = (u32(row.at.x), row.to.z, row.by, u32(pairs[i].z));
    y[4] = u32(pairs[i].x) + 2 * u32(pairs[i].y);
}
// CALL: k(i=1)
// EXPECT: y = [8, 9, 10, 1, 3]
// CALL: k(i=0)
// EXPECT: y = [1, 6, 7, 1, 1]
