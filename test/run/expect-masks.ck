// RUN: %run-test %s
// A mask of truth values as an index of an EXPECT line selects as NumPy's does.
kernel counts(x: in i32[4], f: in bool[4], y: out i64[1]) launch(block = 1, grid = 1) { y[0] = 7; }
// CALL: counts(x=[5, -3, 2, -1], f=[True, False, False, True])
// EXPECT: y = sum(x[x > 0])
// EXPECT: y = 7 if sum(x[x > 9]) == 0 else 0
// EXPECT: y = x[f][0] + 3 + x[f][1]
// EXPECT: y = [a + 10 for a in x[~f] if a < 0]
// EXPECT: y = x[(x > 0) & ~f] + 5
// EXPECT: y = sum(x[(x > 0) | f]) + 1
// EXPECT: y = sum(x[m := x < 0]) + 11 + 0 * sum(x[m])
// EXPECT: y = sum(x[[True, False, True, False]])
// EXPECT: y = sum(x[[v > 0 for v in x]])
// EXPECT: y = sum(x[[1, 0]]) + 5
// EXPECT: y = sum(x.reshape(2, 2)[x.reshape(2, 2) < 0]) + 11
// EXPECT: y = sum(x.reshape(2, 2)[x[2:] > 0]) + 5
// EXPECT: y = sum(x[(x > 0) & 1]) + 3
// EXPECT: y = sum(~(x > 0)) + 5
// EXPECT: y = sum(x[x != 5]) + 9
