// RUN: %run-test %s
// Segments by pairs of limits, with gaps, in any order: what is in none stays as it is, and is not copied.
algorithm gaps(n: u64, m: u64, x: inout i32[n], a: in u32[m], b: in i64[m]) { segmented_sort(x, zip(a, b), <); }
algorithm moved(n: u64, m: u64, x: in i32[n], y: inout i32[n], a: in u32[m], b: in i64[m]) { segmented_sort(x, zip(a, b), y, >); }
algorithm none(n: u64, x: inout i32[n], a: in u32[0], b: in u32[0]) { segmented_sort(x, zip(a, b), <); }
algorithm plain(n: u64, m: u64, x: inout i32[n], a: in u32[m]) { segmented_sort(x, a, <); }
// CALL: gaps(x=[3, 2, 1, 9, 8, 7, 6, 5, 4], a=[6, 0, 5], b=[9, 3, 5])
// EXPECT: x = [1, 2, 3, 9, 8, 7, 4, 5, 6]
// CALL: moved(x=[3, 2, 1, 9, 8, 7, 6, 5, 4], y=[-1, -1, -1, -1, -1, -1, -1, -1, -1], a=[0, 7, 8], b=[2, 9, 4])
// EXPECT: y = [3, 2, -1, -1, -1, -1, -1, 5, 4]
// CALL: none(x=[2, 1], a=zeros:0, b=zeros:0)
// EXPECT: x = [2, 1]
// CALL: plain(x=[2, 1, 3, 0], a=[0, 2, 4])
// EXPECT: x = [1, 2, 0, 3]
// CALL: plain(x=[2, 1, 3, 0], a=zeros:0)
// EXPECT-ERROR: 'offsets'
