// RUN: %run-test %s
// A loop is the branch of a `comptime if` without braces.
fn count<const UP: bool>(x: inout u32[]) {
    let n = x.len;
    comptime if (UP) for (i in 0..n) x[i] += u32(i);
    else for (i in 0..n) x[i] -= u32(i);
}
kernel both(n: u64, x: inout u32[n], y: inout u32[n]) launch(block = 1, grid = 1) {
    count<true>(x);
    count<false>(y);
}
// CALL: both(x=[3, 2, 1], y=[9, 9, 9])
// EXPECT: x = [3, 3, 3]
// EXPECT: y = [9, 8, 7]
