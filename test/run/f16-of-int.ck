// An integer from 65520 on is infinity as an f16, also where it has few digits: LLVM takes such a number
// for one that f16 represents, and skips f16 in a conversion that goes on to f32, f64 or an integer.
// RUN: %run-test %s
// CALL: far(x=[1, 3, 2047], s=[-1, 3, 2047])
// EXPECT: y = [inf, inf, inf]
// EXPECT: z = [4294967295, 4294967295, 4294967295]
// EXPECT: w = [-inf, inf, inf]
// EXPECT: v = [-inf, inf, inf]
// EXPECT: e = [-9223372036854775808, 9223372036854775807, 9223372036854775807]
// EXPECT: h = [32768, 32736, 65504]
kernel far(x: in u32[3], s: in i64[3], y: out f32[3], z: out u32[3], w: out f64[3], v: out f32[3], e: out i64[3],
           h: out f32[3]) launch(block = 3, grid = 1)
{
    let t = thread.x;
    y[t] = f32(f16(x[t] << 17));
    z[t] = u32(f16(x[t] << 21));
    w[t] = f64(f16(s[t] << 52));
    v[t] = f32(f16(i32(s[t]) << 20, round = nearest));
    e[t] = i64(f16x2(i64x2(s[t] << 40)).y);
    h[t] = f32(f16(x[t] << (t == 0 ? 15 : t == 1 ? 4 : 5))) * (t == 1 ? 682.0 : 1.0);
}
