// RUN: %run-test %s
// A value for each element: of one and of several inputs, in place, of unaligned spans and structs.
struct Pixel { r: f32; g: f32; b: f32; }
algorithm axpy(n: u64, a: f32, x: in f32[n], y: inout f32[n]) { transform(zip(x, y), y, |v| a * v[0] + v[1]); }
algorithm three(n: u64, x: in i32[n], y: in i32[n], w: in i32[n], z: out i32[n]) {
    transform(zip(x, y, w), z, |v| v[0] * v[1] - v[2]);
}
algorithm wider(n: u64, x: in u8[n], y: out f64[n]) { transform(x, y, |v| f64(v) / 2); }
algorithm narrower(n: u64, x: in f64[n], y: out u8[n]) { transform(x, y, |v| u8(u64(v))); }
algorithm unaligned(n: u64, x: in u16[n + 1], y: out u16[n + 3]) { transform(x[1..n + 1], y[3..n + 3], |v| v ^ 0xff); }
algorithm grey(n: u64, x: in f32[n], y: out f32[n]) {
    scratch t: Pixel[n];
    transform(x, t, |v| Pixel(v, v, v + 3));
    transform(t, y, |p| (p.r + p.g + p.b) / 3);
}
// FOR: n in 0, 1, 31, 32, 33, 511, 512, 513, 100003, 1048583
// CALL: axpy(a=2, x=rand:n:1:-99..99, y=rand:n:2:-99..99)
// EXPECT: y = 2 * x + y
// FOR: n in 0, 3, 5000
// CALL: three(x=rand:n:1:-99..99, y=rand:n:2:-99..99, w=rand:n:3:-99..99, z=zeros:n)
// EXPECT: z = x * y - w
// FOR: n in 1, 4099, 1100001
// CALL: wider(x=rand:n, y=zeros:n)
// EXPECT: y = x / 2
// FOR: n in 1, 200, 4099
// CALL: narrower(x=iota:n, y=zeros:n)
// EXPECT: y = x % 256
// FOR: n in 0, 1, 5000
// CALL: unaligned(n=n, x=rand:n+1, y=zeros:n+3)
// EXPECT: y = [0, 0, 0, *[v ^ 255 for v in x[1:]]]
// CALL: grey(x=rand:5003:1:-9..9, y=zeros:5003)
// EXPECT: y = x + 1
