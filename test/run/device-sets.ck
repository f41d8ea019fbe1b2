// RUN: %run-test %s
// Unions, intersections and differences of sorted sequences with equal elements: in x there are three of
// each, in y five of each even number. Of lengths about a tile's, and where many are equal.
fn left(x: i32) -> i32 = x / 3;
fn right(y: i32) -> i32 = y / 5 * 2;
algorithm all(n: u64, m: u64, x: in i32[n], y: in i32[m], z: out i32[n + m]) -> u64 = set_union(x.map(left), y.map(right), z, <);
algorithm common(n: u64, m: u64, x: in i32[n], y: in i32[m], z: out i32[n]) -> u64 = set_intersection(x.map(left), y.map(right), z, <);
algorithm less(n: u64, m: u64, x: in i32[n], y: in i32[m], z: out i32[n]) -> u64 = set_difference(x.map(left), y.map(right), z, <);
algorithm one(n: u64, m: u64, x: in i32[n], y: in i32[m], z: out i32[n + m]) -> u64 =
    set_symmetric_difference(x.map(left), y.map(right), z, <);
algorithm equal(n: u64, m: u64, x: in u8[n], y: in u8[m], v: in u64[n], w: in u64[m], z: out u64[n + m]) -> u64 =
    set_union(zip(x, v), zip(y, w), z.map_store(|p| p[1]), |a, b| a[0] > b[0]);
// FOR: n in 0, 1, 100, 4351, 20000
// FOR: m in 0, 7, 4353, 30001
// CALL: all(n=n, m=m, x=iota:n, y=iota:m, z=zeros:n+m)
// EXPECT: z = [*sort([*(x // 3), *[i // 5 * 2 for i in range(m) if i % 5 >= max(0, min(3, n - 3 * (i // 5 * 2)))]]), *(z * 0)][:n + m]
// EXPECT: result = n + m - sum([i % 5 < max(0, min(3, n - 3 * (i // 5 * 2))) for i in range(m)])
// FOR: n in 0, 1, 100, 4351, 20000
// FOR: m in 0, 7, 4353, 30001
// CALL: common(n=n, m=m, x=iota:n, y=iota:m, z=zeros:n)
// EXPECT: z = [*[i // 3 for i in range(n) if i // 3 % 2 == 0 and i % 3 < m - 5 * (i // 6)], *(0 * x)][:n]
// FOR: n in 0, 1, 100, 4351, 20000
// FOR: m in 0, 7, 4353, 30001
// CALL: less(n=n, m=m, x=iota:n, y=iota:m, z=zeros:n)
// EXPECT: z = [*[i // 3 for i in range(n) if i // 3 % 2 == 1 or i % 3 >= m - 5 * (i // 6)], *(0 * x)][:n]
// FOR: n in 0, 100, 20000
// FOR: m in 7, 30001
// CALL: one(n=n, m=m, x=iota:n, y=iota:m, z=zeros:n+m)
// EXPECT: result = n + m - 2 * sum([i % 5 < max(0, min(3, n - 3 * (i // 5 * 2))) for i in range(m)])
// FOR: n in 0, 9000, 20000
// FOR: m in 1, 14999
// CALL: equal(n=n, m=m, x=ones:n, y=ones:m, v=iota:n, w=iota:m, z=zeros:n+m)
// EXPECT: z = [*v, *w[min(n, m):], *[0 for i in range(n + m)]][:n + m]
