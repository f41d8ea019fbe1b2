// RUN: %run-test %s
// Merges of sorted sequences: of any lengths, of spans that start anywhere, of keys with values, where
// equal elements of the first come first; by another order, of iterators.
algorithm both(n: u64, m: u64, x: in i32[n], y: in i32[m], z: out i32[n + m]) { merge(x, y, z, <); }
algorithm pairs(n: u64, m: u64, x: in u32[n], v: in u8[n], y: in u32[m], w: in u8[m], z: out u32[n + m], u: out u8[n + m]) {
    merge(zip(x, v), zip(y, w), zip(z, u), |a, b| a[0] < b[0]);
}
algorithm falling(n: u64, m: u64, x: in f64[n + 1], y: in f64[m], z: out f64[n + m + 1]) {
    merge(x[1..n + 1].map(|v| -v), y.map(|v| -v), z[1..n + m + 1], >);
}
algorithm counts(n: u64, m: u64, x: in u32[m], y: out u64[n + m]) { merge(count(0).take(n), x.map(|v| u64(v)), y, <); }
// FOR: n in 0, 1, 33, 5000
// FOR: m in 0, 1, 511, 40000
// CALL: both(n=n, m=m, x=iota:n, y=iota:m, z=zeros:n+m)
// EXPECT: z = sort([*x, *y])
// FOR: n in 0, 1, 33, 9000
// FOR: m in 0, 1, 511, 2048, 20000
// CALL: pairs(n=n, m=m, x=iota:n, v=zeros:n, y=iota:m, w=ones:m, z=zeros:n+m, u=zeros:n+m)
// EXPECT: z = sort([*x, *y])
// EXPECT: u = [*[i % 2 for i in range(2 * min(n, m))], *[int(m > n) for i in range(max(n, m) - min(n, m))]]
// FOR: n in 0, 1, 3000
// FOR: m in 1, 7000
// CALL: falling(n=n, m=m, x=iota:n+1, y=iota:m, z=zeros:n+m+1)
// EXPECT: z = [0, *[-v for v in sort([*x[1:], *y])]]
// FOR: n in 0, 10000, 600000
// CALL: counts(n=n, m=5000, x=iota:5000, y=zeros:n+5000)
// EXPECT: y = sort([*range(n), *x])
