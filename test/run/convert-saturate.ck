// Floats to integers saturate, drop the fraction, and make 0 of NaN; integers wrap.
// RUN: %run-test %s
// CALL: k(x=[2.9, -2.9, 1e20, -1e20, 300.0], a=zeros:6, b=zeros:6, c=zeros:6)
// EXPECT: a = [2, -2, 2147483647, -2147483648, 300, 0]
// EXPECT: b = [2, 0, 255, 0, 255, 0]
// EXPECT: c = [2, -2, 9223372036854775807, -9223372036854775808, 300, 0]
kernel k(x: in f32[5], a: out i32[6], b: out u8[6], c: out i64[6]) launch(block = 6, grid = 1)
{
    let i = thread.x;
    var v = x[0] - x[0];
    v /= v;
    if (i < 5) v = x[i];
    a[i] = i32(v);
    b[i] = u8(v);
    c[i] = i64(f64(v));
}
