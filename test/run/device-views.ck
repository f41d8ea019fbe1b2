// RUN: %run-test %s
// Algorithms over elements that aren't adjacent: every k-th one, rectangles of a matrix, its columns,
// and the transposed matrix.
algorithm sum(n: u64, k: u64, x: in i32[n]) -> i64 = reduce(x.strided(k).map(|v| i64(v)), +, 0i64);
algorithm square(rows: u64, columns: u64, m: in i32[rows, columns]) -> i32 = reduce(m.region(1, 2, rows - 1, columns - 2), +, 0);
algorithm scan_region(rows: u64, columns: u64, m: in i32[rows, columns], y: out i32[rows * 2]) {
    inclusive_scan(m.region(0, 1, rows, 2), y, +);
}
algorithm transpose(rows: u64, columns: u64, m: in i32[rows, columns], y: out i32[columns, rows]) {
    transform(tabulate(|i| m[i % rows, i / rows]).take(rows * columns), y.region(0, 0, columns, rows), |v| v);
}
algorithm sort_column(rows: u64, columns: u64, m: inout i32[rows, columns]) { merge_sort(m.column(1), <); }
algorithm sort_odd(n: u64, x: inout i32[n]) { radix_sort(x.drop(1).strided(2)); }
// FOR: n in 0, 1, 33, 5000
// CALL: sum(n=n, k=3, x=rand:n:1:-99..99)
// EXPECT: result = sum(x[::3])
// FOR: n in 3, 70
// CALL: square(rows=n, columns=n + 1, m=ones:n * (n + 1))
// EXPECT: result = (n - 1) * (n - 1)
// FOR: n in 1, 33, 3000
// CALL: scan_region(rows=n, columns=4, m=ones:n*4, y=zeros:2*n)
// EXPECT: y = arange(2 * n) + 1
// CALL: transpose(rows=2, columns=3, m=[1, 2, 3, 4, 5, 6], y=zeros:6)
// EXPECT: y = [1, 4, 2, 5, 3, 6]
// CALL: sort_column(rows=4, columns=2, m=[1, 9, 2, 3, 3, 7, 4, 5])
// EXPECT: m = [1, 3, 2, 5, 3, 7, 4, 9]
// CALL: sort_odd(x=[9, 8, 7, 6, 5, 4, 3])
// EXPECT: x = [9, 4, 7, 6, 5, 8, 3]
