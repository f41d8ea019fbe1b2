// A signed number made unsigned, and then a float, is a great one: bytes and halves of words too.
// RUN: %run-test %s
kernel k(x: in i8x8[2], h: in i16x4[2], a: out f32[2], b: out f64[2], c: out f32[2], d: out f32[2])
    launch(block = 2, grid = 1)
{
    let t = thread.rank;
    a[t] = f32(u32(x[t][1]));
    b[t] = f64(u32(x[t][6]));
    c[t] = f32(u32(h[t][1]));
    d[t] = f32(i32(x[t][3]));
}
// CALL: k(x=[(1, -2, 3, -4, 5, 6, -7, 8), (1, 2, 3, 4, 5, 6, 7, 8)], h=[(1, -2, 3, 4), (5, 6, 7, 8)])
// EXPECT: a = [4294967294, 2]
// EXPECT: b = [4294967289, 7]
// EXPECT: c = [4294967294, 6]
// EXPECT: d = [-4, 4]
