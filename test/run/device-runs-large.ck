// RUN: %run-test %s
// REQUIRES: gpu
// Runs of spans that are larger than the L2 cache: their first elements, lengths, and values by key.
// The host device has one form for all sizes.
algorithm firsts(n: u64, x: in i32[n], y: out i32[n]) -> u64 = unique(x, y);
algorithm pairs(n: u64, x: in i64[n], w: in f32[n], y: out i64[n], z: out f32[n]) -> u64 = unique_by_key(x, w, y, z);
algorithm lengths(n: u64, x: in u32[n], y: out u32[n], z: out u64[n]) -> u64 = run_length_encode(x, y, z);
algorithm sums(n: u64, x: in i32[n], w: in u32[n], y: out i32[n], z: out u32[n]) -> u64 = reduce_by_key(x, w, +, y, z);
algorithm lasts(n: u64, x: in i32[n], w: in i64[n], y: out i32[n], z: out i64[n]) -> u64 = reduce_by_key(x, w, |a, b| b, y, z);
// FOR: n in 4194305, 9000001
// CALL: firsts(x=arange(n) // 3, y=zeros:n)
// EXPECT: y = where(arange(n) < (n + 2) // 3, arange(n), 0)
// FOR: n in 4194305, 9000001
// CALL: pairs(x=arange(n) // 5, w=arange(n) % 3, y=zeros:n, z=zeros:n)
// EXPECT: y = where(arange(n) < (n + 4) // 5, arange(n), 0)
// EXPECT: z = where(arange(n) < (n + 4) // 5, 5 * arange(n) % 3, 0)
// FOR: n in 4194305, 9000001
// CALL: lengths(x=arange(n) // 5, y=zeros:n, z=zeros:n)
// EXPECT: y = where(arange(n) < (n + 4) // 5, arange(n), 0)
// EXPECT: z = where(arange(n) < n // 5, 5, where(arange(n) == n // 5, n % 5, 0))
// FOR: n in 4194305, 9000001
// CALL: lengths(x=arange(n) // 100000, y=zeros:n, z=zeros:n)
// EXPECT: z = where(arange(n) < n // 100000, 100000, where(arange(n) == n // 100000, n % 100000, 0))
// FOR: n in 4194305, 9000001
// CALL: sums(x=arange(n) // 5, w=ones:n, y=zeros:n, z=zeros:n)
// EXPECT: z = where(arange(n) < n // 5, 5, where(arange(n) == n // 5, n % 5, 0))
// FOR: n in 4194305, 9000001
// CALL: sums(x=zeros:n, w=iota:n, y=zeros:n, z=zeros:n)
// EXPECT: result = 1
// EXPECT: z = where(arange(n) == 0, n * (n - 1) // 2 % 2**32, 0)
// FOR: n in 4194305, 9000001
// CALL: lasts(x=arange(n) // 100000, w=iota:n, y=zeros:n, z=zeros:n)
// EXPECT: result = n // 100000 + 1
// EXPECT: z = where(arange(n) < n // 100000, 100000 * arange(n) + 99999, where(arange(n) == n // 100000, n - 1, 0))
