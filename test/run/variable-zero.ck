// A variable without a value starts as zeros, whatever its type.
// RUN: %run-test %s
// CALL: k(y=ones:6)
// EXPECT: y = 0
kernel k(y: out f32[6]) launch(block = 1, grid = 1)
{
    var a: f32;
    var b: i32[3];
    var c: (u8, f64);
    var d: f32x4;
    var e: bool;
    var (g, h) = (0.0, 0);
    (y[0], y[1], y[2]) = (a, f32(b[2]), f32(c[1]));
    (y[3], y[4], y[5]) = (d.w, f32(e), g + f32(h));
}
