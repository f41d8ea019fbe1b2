// RUN: %run-test %s
// Strided views of 2 to 4 extents are read and written: pieces of rows, transposed matrices, every other
// element of each axis.
algorithm sum(n: u64, x: in i32[n], rows: u64, columns: u64, pitch: u64) -> i32 =
    reduce(x.strided((rows, columns), (pitch, 1)), +, 0);
algorithm transpose(n: u64, rows: u64, columns: u64, x: in i32[n], y: out i32[n]) {
    transform(x.strided((columns, rows), (1, columns)), y, |v| v);
}
algorithm back(n: u64, rows: u64, columns: u64, x: in i32[n], y: out i32[n]) {
    inclusive_scan(x, y.strided((columns, rows), (1, columns)), +);
}
algorithm swap_axes(x: in i32[24], y: out i32[24]) { transform(x, y.strided((2, 3, 4), (1, 2, 6)), |v| v); }
algorithm corners(x: in i32[256], y: inout i32[16]) {
    transform(x.drop(5).strided((2, 2, 2, 2), (128, 32, 8, 2)), y, |v| v);
    radix_sort(y.strided((2, 4), (4, 1)), descending = true);
}
algorithm sort_pitched(n: u64, x: inout i32[n]) { merge_sort(x.strided((n / 4, 3), (4, 1)), |a, b| a < b); }
// FOR: rows in 1, 33, 700
// CALL: sum(n=rows*9, x=rand:rows*9:1:-99..99, rows=rows, columns=5, pitch=9)
// EXPECT: result = sum(x.reshape(rows, 9)[:, 0:5])
// FOR: rows in 1, 3, 200
// CALL: transpose(n=rows*7, rows=rows, columns=7, x=rand:rows*7, y=zeros:rows*7)
// EXPECT: y = x.reshape(rows, 7).T.reshape(-1)
// FOR: rows in 1, 3, 200
// CALL: back(n=rows*7, rows=rows, columns=7, x=rand:rows*7:1:-9..9, y=zeros:rows*7)
// EXPECT: y = cumsum(x).reshape(7, rows).T.reshape(-1)
// CALL: swap_axes(x=iota:24, y=zeros:24)
// EXPECT: y = [i * 12 + j * 4 + k for k in range(4) for j in range(3) for i in range(2)]
// CALL: corners(x=iota:256, y=zeros:16)
// EXPECT: y[0:8] = sort([128*i + 32*j + 8*k + 2*l + 5 for i in range(2) for j in range(2) for k in range(2) for l in range(2)])[7::-1]
// CALL: sort_pitched(n=12, x=[9, 8, 7, 1, 6, 5, 4, 2, 3, 2, 1, 3])
// EXPECT: x = [1, 2, 3, 1, 4, 5, 6, 2, 7, 8, 9, 3]
