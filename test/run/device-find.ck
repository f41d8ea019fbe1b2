// RUN: %run-test %s
// The first element of a kind, the first difference, whether sequences are equal and sorted: where it is
// the first, the last, in between or nowhere; of bytes, structs, spans that start anywhere, iterators.
struct Pixel { r: f32; g: f32; b: f32; }
algorithm first(n: u64, v: i32, x: in i32[n]) -> u64 = find_if(x, |a| a == v);
algorithm inner(n: u64, v: u8, x: in u8[n + 1]) -> u64 = find_if(x[1..n + 1], |a| a >= v);
algorithm differ(n: u64, m: u64, x: in i32[n], y: in f64[m]) -> u64 = mismatch(x.map(|v| f64(v)), y);
algorithm same(n: u64, m: u64, x: in i32[n], y: in i32[m]) -> bool = equal(x, y);
algorithm sorted(n: u64, at: u64, x: in i32[n]) -> bool = is_sorted(x.enumerate().map(|p| p[0] == at ? -1 : p[1]), <);
algorithm pixels(n: u64, v: f32, x: in f32[n]) -> u64 = find_if(x.map(|v| Pixel(v, 1, 2)), |p| p.r == v);
algorithm many(n: u64, x: in i32[n]) -> u64 {
    let k = select(x, |v| v >= 0, discard<i32>());
    return find_if(x.take(k), |v| v < 0);
}
// FOR: n in 0, 1, 31, 512, 4096, 100003
// FOR: v in -1, 0, 30, 511, 4095, 100002
// CALL: first(v=v, x=iota:n)
// EXPECT: result = v if 0 <= v < n else n
// FOR: n in 1, 31, 20000
// FOR: v in 0, 7, 255
// CALL: inner(n=n, v=v, x=rand:n+1)
// EXPECT: result = min([n, *[i for i in range(n) if x[i + 1] >= v]])
// FOR: n in 0, 1, 5000
// FOR: m in 0, 1, 7000
// CALL: differ(x=iota:n, y=iota:m)
// EXPECT: result = min(n, m)
// FOR: n in 0, 1, 5000
// FOR: m in 0, 1, 5000
// CALL: same(x=iota:n, y=iota:m)
// EXPECT: result = n == m
// FOR: n in 0, 1, 2, 5000
// FOR: at in 0, 1, 4999, 6000
// CALL: sorted(at=at, x=iota:n)
// EXPECT: result = at == 0 or at >= n
// CALL: pixels(v=1234, x=iota:9999)
// EXPECT: result = 1234
// CALL: many(x=iota:9999)
// EXPECT: result = 9999
