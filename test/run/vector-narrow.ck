// Sums of vectors of 16 bits with constants, of which some components are read.
// RUN: %run-test %s
// CALL: k(x=[1, 32767, 100, 5], w=[7, 2, 60000, 8], y=zeros:4, z=zeros:4, s=zeros:4)
// EXPECT: y = [2 + 5, 32767 + 5 + 1 - 65536, 105 + 1, 11]
// EXPECT: z = [7 + 7, 2 + 7, 60000 + 7, 15]
// EXPECT: s = [3958 - 3, 3958 - 3, 3958 - 3, 3958 - 3]
kernel k(x: in i16[4], w: inout u16[4], y: out i32[4], z: out u32[4], s: out i32[4])
    launch(block = 4, grid = 1)
{
    let t = thread.rank;
    let a = i16x4(5) + x[t];
    y[t] = i32((a + i16x4(1, i16(t), 2, 1)).wyzx[0]);
    let b = (u16x4(5) + w[t]) + u16x4(9, 1, 2, 3).yzww;
    z[t] = b[1];
    s[t] = i32((i16x4(3958, 0, 3, x[t]) + min(i16x4(-3, -5, x[t], 7), x[t]))[0]);
}
