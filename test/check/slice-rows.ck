// A slice of a slice takes rows again; columns, or a row's part, are none.
// RUN: %ckc %s --stop-after=check -o %t
// RUN: not %ckc %s --stop-after=check -D WRONG=true 2>&1 | FileCheck %s
const WRONG = false;
fn corner(x: in f32[,]) -> f32 = x[0, 0];
kernel k(m: in f32[8, 8], y: out f32[4])
{
    let r = 1..4;
    y[0] = corner(m[1..4][1..2]);
    y[1] = corner(m[r][r]);
    comptime if (WRONG) {
        y[2] = corner(m[1..4, 1..2]);
        y[3] = m[1..4][2];
    }
}
// CHECK:      error: an index is an integer, this is 'range<i32>' [index_type]
// CHECK:      hint: A slice is a range alone, of rows: m[lo..hi].
// CHECK:      error: 'in f32[,]' has 2 extents, 1 indices are given [index_count]
// CHECK:      hint: All indices stand in one pair of brackets: x[row, column].
// CHECK-NOT:  fix:
