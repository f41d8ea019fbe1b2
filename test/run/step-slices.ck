// RUN: %run-test %s
// A step takes slices of one span that are the same or have no element in common; the launch of others
// is refused, before anything is written.
algorithm shift(n: u64, a: u64, b: u64, k: u64, x: inout i32[n]) { inclusive_scan(x[a..a + k], x[b..b + k], +); }
algorithm doubled(n: u64, a: u64, b: u64, x: inout i32[n]) {
    transform(zip(x[a..a + 4], x[a..a + 4]), x[b..b + 4], |v| v[0] + v[1]);
}
algorithm tail(n: u64, a: u64, x: inout i32[n]) {
    let rest = x[a..n];
    transform(rest[1..3], rest[1..3].map_store(|v| v * 2), |v| v + 1);
    transform(x[0..a], rest.take(a), |v| v);
}
algorithm segments(n: u64, b: u64, x: inout i32[n], o: in u64[2]) { inclusive_segmented_scan(x[0..3], o, x[b..b + 3], +); }
algorithm keys(n: u64, b: u64, k: in i32[3], x: inout i32[n]) { inclusive_scan_by_key(k, x[0..3], x[b..b + 3], +); }
algorithm columns(m: inout i32[2, 2]) { transform(m.column(0), m.column(1), |v| v + 1); }
// CALL: shift(n=6, a=0, b=0, k=6, x=[1, 1, 1, 1, 1, 1])
// EXPECT: x = [1, 2, 3, 4, 5, 6]
// CALL: shift(n=6, a=3, b=0, k=3, x=[1, 1, 1, 1, 1, 1])
// EXPECT: x = [1, 2, 3, 1, 1, 1]
// FOR: a in 0, 2
// CALL: shift(n=6, a=a, b=1, k=3, x=[1, 1, 1, 1, 1, 1])
// EXPECT-ERROR: 'shift': parts of 'x' that overlap, but not wholly, are read and written by a step
// CALL: doubled(n=8, a=4, b=0, x=iota:8)
// EXPECT: x = [8, 10, 12, 14, 4, 5, 6, 7]
// CALL: doubled(n=8, a=0, b=3, x=iota:8)
// EXPECT-ERROR: 'doubled': parts of 'x' that overlap
// CALL: tail(n=8, a=4, x=iota:8)
// EXPECT: x = [0, 1, 2, 3, 0, 1, 2, 3]
// CALL: segments(n=6, b=3, x=[1, 1, 1, 0, 0, 0], o=[0, 3])
// EXPECT: x = [1, 1, 1, 1, 2, 3]
// CALL: segments(n=6, b=1, x=[1, 1, 1, 0, 0, 0], o=[0, 3])
// EXPECT-ERROR: 'segments': parts of 'x' that overlap
// CALL: keys(n=6, b=0, k=[1, 1, 2], x=[1, 1, 1, 0, 0, 0])
// EXPECT: x = [1, 2, 1, 0, 0, 0]
// CALL: keys(n=6, b=2, k=[1, 1, 2], x=[1, 1, 1, 0, 0, 0])
// EXPECT-ERROR: 'keys': parts of 'x' that overlap
// CALL: columns(m=[1, 2, 3, 4])
// EXPECT: m = [[1, 2], [3, 4]]
