// The negative of every i8 and i16, read as more bits: the lowest stays itself, also as a quotient.
// RUN: %run-test %s
// CALL: k(m=-1, y=zeros:65536, q=zeros:65536, v=zeros:65536, z=zeros:256)
// EXPECT: y = [-n if n > -32768 else n for n in [*range(32768), *range(-32768, 0)]]
// EXPECT: q = [-n if n > -32768 else n for n in [*range(32768), *range(-32768, 0)]]
// EXPECT: v = [-n if n > -32768 else n for n in [*range(32768), *range(-32768, 0)]]
// EXPECT: z = [-n if n > -128 else n for n in [*range(128), *range(-128, 0)]]
kernel k(m: i16, y: out i64[65536], q: out i64[65536], v: out i32[65536], z: out i32[256])
    launch(block = 256, grid = 256)
{
    let t = grid.thread_rank;
    let n = i16(u16(t));
    y[t] = i64(-n);
    q[t] = i64(n / m);
    v[t] = i32((-i16x2(n, m))[0]);
    if (t < 256) z[t] = i32(-i8(u8(t)));
}
