// == compares all scalars of two structs, arrays inside too; NaN equals nothing.
// RUN: %run-test %s
// CALL: k(y=zeros:6)
// EXPECT: y = [1, 0, 1, 0, 0, 1]
struct P { x: f32; on: bool; v: i32[20]; }
kernel k(y: inout i32[6]) launch(block = 1, grid = 1)
{
    var a: P;
    a.on = true;
    a.v[19] = 5;
    var b = a;
    y[0] = i32(a == b);
    y[1] = i32(a != b);
    b.v[19] = 6;
    y[2] = i32(a != b);
    y[3] = i32(a == b);
    a.x = nan;
    y[4] = i32(a == a);
    y[5] = i32((1, true) == (1, true));
}
