// RUN: %run-test %s
// REQUIRES: gpu
// Spans that are larger than the L2 cache are selected and partitioned in the same order.
// The host device has one form for all sizes.
algorithm odd(n: u64, x: in i32[n], y: out i32[n]) -> u64 = select(x, |v| (v & 1) == 1, y);
algorithm far(n: u64, x: in i64[n], y: out i64[n]) -> u64 = select(x, |v| v % 5 == 3, y);
algorithm two(n: u64, x: in u32[n], y: out u32[n], z: out u32[n]) -> u64 = partition(x, |v| v % 3 == 0, y, z);
algorithm three(n: u64, x: in i32[n], a: out i32[n], b: out i32[n], c: out i32[n]) -> (u64, u64) =
    partition(x, |v| v % 4 == 2, |v| v % 4 == 0, a, b, c);
// FOR: n in 4194305, 9000001
// CALL: odd(x=iota:n, y=zeros:n)
// EXPECT: result = n // 2
// EXPECT: y = where(arange(n) < n // 2, 2 * arange(n) + 1, 0)
// FOR: n in 4194305, 9000001
// CALL: odd(x=ones:n, y=zeros:n)
// EXPECT: y = x
// FOR: n in 4194305, 9000001
// CALL: odd(x=zeros:n, y=zeros:n)
// EXPECT: result = 0
// FOR: n in 4194305, 9000001
// CALL: far(x=iota:n, y=zeros:n)
// EXPECT: y = where(arange(n) < (n + 1) // 5, 5 * arange(n) + 3, 0)
// FOR: n in 4194305, 9000001
// CALL: two(x=iota:n, y=zeros:n, z=zeros:n)
// EXPECT: y = where(arange(n) < (n + 2) // 3, 3 * arange(n), 0)
// EXPECT: z = where(arange(n) < n - (n + 2) // 3, arange(n) * 3 // 2 + 1, 0)
// FOR: n in 4194305, 9000001
// CALL: three(x=iota:n, a=zeros:n, b=zeros:n, c=zeros:n)
// EXPECT: a = where(arange(n) < (n + 1) // 4, 4 * arange(n) + 2, 0)
// EXPECT: b = where(arange(n) < (n + 3) // 4, 4 * arange(n), 0)
// EXPECT: c = where(arange(n) < n // 2, 2 * arange(n) + 1, 0)
