// The magnitude of every i8 and i16, read as more bits: the lowest stays itself.
// RUN: %run-test %s
// CALL: k(y=zeros:65536, z=zeros:256)
// EXPECT: y = [abs(n) if n > -32768 else n for n in [*range(32768), *range(-32768, 0)]]
// EXPECT: z = [abs(n) if n > -128 else n for n in [*range(128), *range(-128, 0)]]
kernel k(y: out i64[65536], z: out i32[256]) launch(block = 256, grid = 256)
{
    let t = grid.thread_rank;
    y[t] = i64(abs(i16(u16(t))));
    if (t < 256) z[t] = i32(abs(i8(u8(t))));
}
