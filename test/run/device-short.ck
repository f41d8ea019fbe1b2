// RUN: %run-test %s
// A launch is refused before anything runs if an input or output of a step is too short for another one.
algorithm scan(n: u64, m: u64, x: in i32[n], y: inout i32[m]) { inclusive_scan(x, y, +); }
algorithm sorted(n: u64, m: u64, x: in i32[n], y: inout i32[m]) { radix_sort(x, to = y.reverse()); }
algorithm both(n: u64, m: u64, x: in i32[n], y: inout i32[m]) { if (n > 9) merge(x, x, y.take(n), <); }
algorithm rows(n: u64, m: u64, x: in i32[n, 4], y: inout i32[m, 2]) { top_k(x, y); }
algorithm some(n: u64, m: u64, x: in i32[n], y: out i32[n], z: inout i32[m]) { inclusive_scan(y.take(select(x, |v| v < 2, y)), z, +); }
// CALL: scan(x=iota:10, y=zeros:9)
// EXPECT-ERROR: 'scan': 'to' of 'inclusive_scan(x, y, +)' in line 3 has 9 elements, but needs 10
// CALL: sorted(x=iota:10, y=zeros:9)
// EXPECT-ERROR: 'to' of 'radix_sort(x, to = y.reverse())' in line 4 has 9 elements, but needs 10
// CALL: both(x=iota:10, y=zeros:20)
// EXPECT-ERROR: has 10 elements, but needs 20
// CALL: both(x=iota:9, y=zeros:9)
// EXPECT: y = 0
// CALL: some(x=iota:100, z=zeros:2)
// EXPECT: z = [0, 1]
// CALL: rows(x=iota:3x4, y=zeros:2x2)
// EXPECT-ERROR: rows of 'to' of 'top_k(x, y)' in line 6 has 2 elements, but needs 3
