// == of structs, tuples and arrays compares the components of vectors inside.
// RUN: %run-test %s
// CALL: k(y=zeros:5)
// EXPECT: y = [1, 0, 1, 1, 0]
struct P { v: f32x4; m: boolx2; }
kernel k(y: inout i32[5]) launch(block = 1, grid = 1)
{
    let a = P(f32x4(1, 2, 3, 4), boolx2(true, false));
    var b = a;
    y[0] = i32(a == b);
    b.v.w = 5;
    y[1] = i32(a == b);
    y[2] = i32((1, u8x3(7)) == (1, u8x3(7)));
    let rows = [i16x2(1, 2), i16x2(3, 4)];
    y[3] = i32(rows == [i16x2(1, 2), i16x2(3, 4)]);
    y[4] = i32(rows != rows);
}
