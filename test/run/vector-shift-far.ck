// Constant counts of a vector's shift count modulo the width, one by one.
// RUN: %run-test %s
// CALL: k(y=zeros:8)
// EXPECT: y = [-2**30, 2**30, 1, 2, -8, 8, 1, 4]
fn by(v: i32x2) -> i32x2 = v << (v.x ^ v.y);
kernel k(y: out i32[8]) launch(block = 1, grid = 1)
{
    let a = by(i32x2(3, -3));
    y[0] = a.x;
    y[1] = a.y;
    let b = i32x2(1, 1) << i32x2(32, 33);
    y[2] = b.x;
    y[3] = b.y;
    let c = i8x2(-16, 16) >> i8x2(9, -7);
    y[4] = i32(c.x);
    y[5] = i32(c.y);
    let d = u64x2(1, 1) << u64x2(64, 66);
    y[6] = i32(d.x);
    y[7] = i32(d.y);
}
