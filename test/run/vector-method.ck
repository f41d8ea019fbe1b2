// A function of scalars is called on a vector as a method too: for each component.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: k(y=zeros:8)
// EXPECT: y = [2.5, 4, 5, 2, 12, 3, 7, 1]
kernel k(y: inout f32[8]) launch(block = 1, grid = 1)
{
    let v = f32x4(1, 4, 9, 16);
    let most = v.max(2.5);
    let root = v.sqrt();
    let sum = root.fma(f32x4(2), v);            // 3, 8, 15, 24
    let pair = 1.0.max(f32x2(0, 3));
    let some = y[0].max(f32x4(7, 8, -1, 1));
    (y[0], y[1]) = (most.x, most.y);
    (y[2], y[3]) = (sum.z - 10, root.y);
    (y[4], y[5]) = (sum.w - 12, pair.y);
    (y[6], y[7]) = (some.x, f32(i32x2(1, 5).min(i32x2(3, 1)).y));
}
