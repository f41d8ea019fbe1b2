// RUN: %run-test %s
// A function of each element and its neighbour: on either side, of spans, unaligned ones, iterators and
// structs, by a function that doesn't commute.
struct Pair { a: i32; b: i32; c: i32; }
algorithm left(n: u64, x: in i32[n], y: out i32[n]) { adjacent_difference(x, y, -); }
algorithm right(n: u64, x: in i32[n], y: out i32[n]) { adjacent_difference(x, y, -, right = true); }
algorithm bytes(n: u64, x: in u8[n], y: out u8[n]) { adjacent_difference(x, y, |a, b| a ^ b); }
algorithm unaligned(n: u64, x: in f64[n + 1], y: out f64[n]) { adjacent_difference(x[1..n + 1], y, |a, b| a - 2 * b); }
algorithm pairs(n: u64, x: in i32[n], y: out i32[n]) {
    adjacent_difference(x.map(|v| Pair(v, v + 1, 2)), y.map_store(|p| p.b), |p, q| Pair(0, p.a - q.b, 0), right = true);
}
algorithm some(n: u64, x: in i32[n], y: out i32[n], z: out i32[n]) {
    let k = select(x, |v| v > 0, y);
    adjacent_difference(y.take(k), z, -);
}
// FOR: n in 0, 1, 2, 31, 32, 33, 511, 512, 513, 1048576, 1048583
// CALL: left(x=rand:n:1:-99..99, y=zeros:n)
// EXPECT: y = [x[i] - x[i - 1] if i > 0 else x[0] for i in range(n)]
// FOR: n in 0, 1, 2, 511, 512, 513, 1048583
// CALL: right(x=rand:n:1:-99..99, y=zeros:n)
// EXPECT: y = [x[i] - x[i + 1] if i + 1 < n else x[i] for i in range(n)]
// FOR: n in 0, 1, 2047, 2048, 2049, 9000, 1048583
// CALL: bytes(x=rand:n, y=zeros:n)
// EXPECT: y = [x[i] ^ x[i - 1] if i > 0 else x[0] for i in range(n)]
// FOR: n in 1, 255, 256, 257, 5000
// CALL: unaligned(n=n, x=rand:n+1:1:-99..99, y=zeros:n)
// EXPECT: y = [x[i + 1] - 2 * x[i] if i > 0 else x[1] for i in range(n)]
// FOR: n in 2, 127, 129, 5000
// CALL: pairs(x=rand:n:1:-99..99, y=zeros:n)
// EXPECT: y = [*[x[i] - x[i + 1] - 1 for i in range(n - 1)], x[n - 1] + 1]
// CALL: some(x=iota:5000, y=zeros:5000, z=zeros:5000)
// EXPECT: z = where(arange(5000) < 4999, 1, 0)
