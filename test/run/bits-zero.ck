// Of 0, clz and ctz are the width of its type.
// RUN: %run-test %s
// CALL: k(zero=0, y=zeros:8)
// EXPECT: y = [8, 16, 32, 64, 8, 16, 32, 64]
kernel k(zero: u32, y: out u32[8]) launch(block = 1, grid = 1)
{
    (y[0], y[1], y[2], y[3]) = (clz(u8(zero)), clz(i16(zero)), clz(zero), clz(u64(zero)));
    (y[4], y[5], y[6], y[7]) = (ctz(i8(zero)), ctz(u16(zero)), ctz(i32(zero)), ctz(i64(zero)));
}
