// RUN: %run-test %s
// Runs of elements that are the same: copies of the first element of each run, its value, its length,
// and where runs of two or more begin.
algorithm distinct(n: u64, x: in i32[n], y: out i32[n]) -> u64 = unique(x, y);
algorithm tens(n: u64, x: in i64[n], y: out i64[n]) -> u64 = unique(x, y, |a, b| a / 10 == b / 10);
algorithm firsts(n: u64, x: in u8[n], v: in f32[n], y: out u8[n], w: out f32[n]) -> u64 = unique_by_key(x, v, y, w);
algorithm runs(n: u64, x: in i32[n], y: out i32[n], len: out u32[n]) -> u64 = run_length_encode(x, y, len);
algorithm decades(n: u64, x: in i64[n], y: out i64[n], len: out u64[n]) -> u64 =
    run_length_encode(x.map(|v| (v, -v)), y.map_store(|p| p[1]), len, |a, b| a[0] / 10 == b[0] / 10);
algorithm repeats(n: u64, x: in u8[n], at: out i32[n], len: out i64[n]) -> u64 = nontrivial_runs(x, at, len);
// FOR: n in 0, 1, 31, 32, 33, 2047, 2048, 2049, 140000
// CALL: distinct(x=rand:n:3:0..3, y=zeros:n)
// EXPECT: y = [*[x[i] for i in range(n) if i == 0 or x[i] != x[i - 1]], *[0 for i in range(1, n) if x[i] == x[i - 1]]]
// EXPECT: result = sum(1 for i in range(n) if i == 0 or x[i] != x[i - 1])
// FOR: n in 0, 1025, 132000
// CALL: tens(x=arange(n), y=zeros:n)
// EXPECT: y = [*range(0, n, 10), *[0 for i in range(n) if i % 10 > 0]]
// FOR: n in 0, 1, 5000
// CALL: firsts(x=rand:n:3:0..2, v=rand:n:4, y=zeros:n, w=zeros:n)
// EXPECT: w = [*[v[i] for i in range(n) if i == 0 or x[i] != x[i - 1]], *[0 for i in range(1, n) if x[i] == x[i - 1]]]
// FOR: n in 0, 1, 31, 33, 2047, 2048, 2049
// CALL: runs(x=rand:n:3:0..3, y=zeros:n, len=zeros:n)
// EXPECT: y = [*[x[i] for i in range(n) if i == 0 or x[i] != x[i - 1]], *[0 for i in range(1, n) if x[i] == x[i - 1]]]
// EXPECT: len = [(cumsum([0, *(x[1:] != x[:-1])]) == k).sum() for k in range(n)]
// FOR: n in 1, 4097, 140000
// CALL: runs(x=arange(n) // 5000, y=zeros:n, len=zeros:n)
// EXPECT: len = [max(0, min(5000, n - i * 5000)) for i in range(n)]
// FOR: n in 0, 7, 135007
// CALL: decades(x=iota:n, y=zeros:n, len=zeros:n)
// EXPECT: y = [*range(0, -n, -10), *[0 for i in range(n) if i % 10 > 0]]
// EXPECT: len = [*[min(10, n - i) for i in range(0, n, 10)], *[0 for i in range(n) if i % 10 > 0]]
// FOR: n in 0, 1, 2, 3, 100, 5000
// CALL: repeats(x=arange(n) % 7 // 2, at=zeros:n, len=zeros:n)
// EXPECT: at = [*[i for i in range(n - 1) if i % 7 % 2 == 0 and i % 7 < 6], *[0 for i in range(n) if i == n - 1 or i % 7 % 2 == 1 or i % 7 == 6]]
// EXPECT: len = [*[2 for i in range(n - 1) if i % 7 % 2 == 0 and i % 7 < 6], *[0 for i in range(n) if i == n - 1 or i % 7 % 2 == 1 or i % 7 == 6]]
// CALL: repeats(x=[5, 5, 5, 1, 2, 2, 2, 2], at=zeros:8, len=zeros:8)
// EXPECT: len = [3, 4, 0, 0, 0, 0, 0, 0]
