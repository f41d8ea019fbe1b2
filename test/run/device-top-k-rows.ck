// RUN: %run-test %s
// The greatest or least elements of each row, sorted or in the row's order, and where they are in it.
algorithm best(rows: u64, n: u64, k: u64, x: in f32[rows, n], y: out f32[rows, k]) { top_k(x, y); }
algorithm near(rows: u64, n: u64, k: u64, x: in i32[rows, n], y: out i32[rows, k], at: out u32[rows, k]) { top_k(x, y, at, descending = false); }
algorithm some(rows: u64, n: u64, k: u64, x: in u8[rows, n], y: out u8[rows, k]) { top_k<false>(x, y); }
// FOR: n in 5, 700, 5003
// CALL: best(rows=3, k=5, x=rand:3xn, y=zeros:3x5)
// EXPECT: y = [np.sort(r)[::-1][0:5] for r in x]
// FOR: n in 5, 700, 5003
// CALL: near(rows=4, k=5, x=rand:4xn:2:-50..50, y=zeros:4x5, at=zeros:4x5)
// EXPECT: y = [np.sort(r)[0:5] for r in x]
// EXPECT: at = [np.argsort(r, kind="stable")[0:5] for r in x]
// FOR: n in 4, 300
// CALL: some(rows=2, k=10, x=ones:2xn, y=zeros:2x10)
// EXPECT: y = [where(arange(10) < n, 1, 0) for r in x]
