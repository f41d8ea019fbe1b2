// RUN: %run-test %s
// Reductions of every width of elements, of unaligned spans, and of as many elements as a step before
// found.
algorithm bytes(n: u64, x: in u8[n]) -> u64 = reduce(x.map(|v| u64(v)), +, 0u64);
algorithm shorts(n: u64, x: in i16[n]) -> i16 = reduce(x, max, -32768i16);
algorithm longs(n: u64, x: in i64[n]) -> i64 = reduce(x, +, 1);
algorithm wide(n: u64, x: in u32[n]) -> (u32, u32) =
    reduce(x.map(|v| (v, 1u32)), |a, b| (a[0] + b[0], a[1] + b[1]), (0u32, 0u32));
algorithm unaligned(n: u64, x: in i32[n + 1]) -> i32 = reduce(x[1..n + 1], +, 0);
algorithm some(n: u64, least: i32, x: in i32[n], y: out i32[n]) -> i32 {
    let k = select(x, |v| v >= least, y);
    return reduce(y.take(k), +, 5);
}
// FOR: n in 0, 1, 65536, 65537, 100003
// CALL: bytes(x=rand:n)
// EXPECT: result = sum(x)
// FOR: n in 1, 65537, 100003
// CALL: shorts(x=rand:n:1:-3000..3000)
// EXPECT: result = max(x)
// FOR: n in 0, 65537, 100003
// CALL: longs(x=rand:n:2:-3000..3000)
// EXPECT: result = 1 + sum(x)
// FOR: n in 0, 70001
// CALL: wide(x=rand:n:3:0..3000)
// EXPECT: result = (sum(x), n)
// FOR: n in 0, 1, 9, 65535, 80001
// CALL: unaligned(n=n, x=rand:n+1:4:-99..99)
// EXPECT: result = sum(x[1:])
// FOR: least in -100, 0, 98, 200
// CALL: some(x=rand:90000:5:-99..99, least=least)
// EXPECT: result = 5 + sum(where(x >= least, x, 0))
