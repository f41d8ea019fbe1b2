// RUN: %run-test %s
// Scans of any length by any associative function, in order: in place, of iterators, with an initial
// value of a wider type.
struct Affine { a: u32; b: u32; }
fn then(f: Affine, g: Affine) -> Affine = Affine(g.a * f.a, g.a * f.b + g.b);
algorithm inclusive(n: u64, x: in i32[n], y: out i32[n]) { inclusive_scan(x, y, +); }
algorithm exclusive(n: u64, x: in i32[n], y: out i64[n]) { exclusive_scan(x.map(|v| i64(v)), y, +, 7i64); }
algorithm largest(n: u64, x: inout u8[n]) { inclusive_scan(x, x, max, 9u8); }
algorithm affine(n: u64, x: in u32[n], y: out u32[n]) {
    inclusive_scan(x.map(|v| Affine(v | 1, v)), y.map_store(|f| f.b), then);
}
algorithm some(n: u64, least: i32, x: in i32[n], y: out i32[n], z: out i32[n]) -> u64 {
    let k = select(x, |v| v >= least, y);
    inclusive_scan(y.take(k), z, +);
    return k;
}
// FOR: least in -100, 0, 98, 200
// CALL: some(x=rand:9000:5:-99..99, least=least, y=zeros:9000, z=zeros:9000)
// EXPECT: z = [*cumsum([v for v in x if v >= least]), *[0 for v in x if v < least]]
// FOR: n in 0, 1, 31, 32, 33, 2047, 2048, 2049, 140001
// CALL: inclusive(x=rand:n:1:-99..99, y=zeros:n)
// EXPECT: y = cumsum(x)
// FOR: n in 0, 1, 1023, 1024, 1025, 150000
// CALL: exclusive(x=rand:n:2:-99..99, y=zeros:n)
// EXPECT: y = cumsum(x) - x + 7
// FOR: n in 0, 1, 8191, 8192, 8193
// CALL: largest(x=rand:n)
// EXPECT: x = [max(9, max(x[:i + 1])) for i in range(n)]
// FOR: n in 0, 1, 5, 2047, 2049, 5000
// CALL: affine(x=rand:n, y=zeros:n)
// EXPECT: y = host
