// Scalars of every type arrive as they were given.
// REQUIRES: ckc
// RUN: %run-test %s
// CALL: scalars(a=-128, b=true, c=-32768, d=65535, e=-2147483648, f=4294967295, g=0.1, h=0.1)
// EXPECT: y = [-128, 1, -32768, 65535, -2147483648, 4294967295, f32(0.1), 0.1]
// TOLERANCE: exact
// CALL: scalars(a=300, b=true, c=0, d=0, e=0, f=0, g=0, h=0)
// EXPECT-ERROR: 300 does not fit in i8

kernel scalars(a: i8, b: bool, c: i16, d: u16, e: i32, f: u32, g: f32, h: f64, y: out f64[8])
    launch(block = 1, grid = 1)
{
    (y[0], y[1], y[2], y[3]) = (f64(a), f64(b), f64(c), f64(d));
    (y[4], y[5], y[6], y[7]) = (f64(e), f64(f), f64(g), h);
}
