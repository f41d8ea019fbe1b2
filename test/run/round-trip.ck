// An integer as a float and back saturates, and an integer is rounded as it says.
// RUN: %run-test %s
// CALL: k(x=[4294967295, 2147483648, 5], l=[9007199254740993, -9007199254740993, 9223372036854775807], y=zeros:3, h=zeros:3, z=zeros:3, u=zeros:3)
// EXPECT: y = [2147483647, 2147483647, 5]
// EXPECT: h = [32767, 32767, 5]
// EXPECT: z = [9007199254740992, -9007199254740992, 9223372036854774784]
// EXPECT: u = [2147483647, 2147483647, 5]
kernel k(x: in u32[3], l: in i64[3], y: out i32[3], h: out i16[3], z: out f64[3], u: out i32[3])
    launch(block = 3, grid = 1)
{
    let t = thread.rank;
    y[t] = i32(f64(x[t]));
    h[t] = i16(f64(x[t]));
    z[t] = rint(f64(l[t], round = zero));
    u[t] = i32(f64(u64(x[t]))) & 0x7fffffff;
}
