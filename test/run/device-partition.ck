// RUN: %run-test %s
// Partitions in two and three ways keep the order; results may be iterators, and may be one span's parts.
algorithm signs(n: u64, x: in i32[n], y: out i32[n], z: out i32[n]) -> u64 = partition(x, |v| v < 0, y, z);
algorithm low_high(n: u64, x: in i32[n], a: out i32[n], b: out i32[n], c: out i32[n]) -> (u64, u64) =
    partition(x, |v| v % 8 < 3, |v| v % 8 > 5, a, b, c);
algorithm halves(n: u64, x: in f64[n], at: out u64[n], rest: out f64[n]) -> u64 =
    partition(x.enumerate(), |p| p[1] >= 0.5, at.map_store(|p| p[0]), rest.map_store(|p| p[1]));
// FOR: n in 0, 1, 31, 32, 33, 2047, 2048, 2049, 140000
// CALL: signs(x=rand:n:3:-100..99, y=zeros:n, z=zeros:n)
// EXPECT: y = [*[v for v in x if v < 0], *[0 for v in x if v >= 0]]
// EXPECT: z = [*[v for v in x if v >= 0], *[0 for v in x if v < 0]]
// EXPECT: result = (x < 0).sum()
// FOR: n in 0, 1, 2049, 140000
// CALL: low_high(x=rand:n:3:0..1000, a=zeros:n, b=zeros:n, c=zeros:n)
// EXPECT: a = [*[v for v in x if v % 8 < 3], *[0 for v in x if v % 8 >= 3]]
// EXPECT: b = [*[v for v in x if v % 8 > 5], *[0 for v in x if v % 8 <= 5]]
// EXPECT: c = [*[v for v in x if v % 8 >= 3 and v % 8 <= 5], *[0 for v in x if v % 8 < 3 or v % 8 > 5]]
// EXPECT: result = [(x % 8 < 3).sum(), (x % 8 > 5).sum()]
// FOR: n in 0, 1000, 5000
// CALL: halves(x=rand:n, at=zeros:n, rest=zeros:n)
// EXPECT: at = [*[i for i in range(n) if x[i] >= 0.5], *[0 for v in x if v < 0.5]]
// EXPECT: rest = [*[v for v in x if v < 0.5], *[0 for v in x if v >= 0.5]]
