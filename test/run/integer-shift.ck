// A shift takes its count modulo the width; to the right, the sign is kept.
// RUN: %run-test %s
// CALL: shift(n=[0, 1, 33, 63], a=zeros:4, b=zeros:4, c=zeros:4)
// EXPECT: a = [1, 2, 2, 2147483648]
// EXPECT: b = [-8, -4, -4, -1]
// EXPECT: c = [200, 100, 100, 1]
kernel shift(n: in u32[4], a: out u32[4], b: out i32[4], c: inout u8[4])
    launch(block = 4, grid = 1)
{
    let i = thread.x;
    a[i] = 1u32 << n[i];
    b[i] = -8i32 >> n[i];
    c[i] = 200;
    c[i] >>= n[i];
}
