// RUN: %run-test %s
// Values too large for states of one access are reduced by key as well.
struct Large { a: i64x4; b: i64x4; c: i64x4; }
algorithm large(n: u64, k: in i32[n], x: in i64[n], y: out i32[n], s: out i64[n]) -> u64 =
    reduce_by_key(k, x.map(|v| Large(i64x4(v), i64x4(1), i64x4(v))), |a, b| Large(a.a + b.a, b.b, b.c), y, s.map_store(|v| v.a.w + v.c.x));
// FOR: n in 0, 1, 1300
// CALL: large(k=arange(n) // 7, x=iota:n, y=zeros:n, s=zeros:n)
// EXPECT: y = where(arange(n) < (n + 6) // 7, arange(n), 0)
// EXPECT: s = [sum(x[7 * i:7 * i + 7]) + max([0, *x[7 * i:7 * i + 7]]) for i in range(n)]
