// A thread's run of items in a shared tile, by accesses of 16 bytes, with and without the swizzle.
// RUN: %run-test %s
fn row_at<const V: u32, const SWIZZLE: bool>(c: u32) -> u32 {
    comptime if (SWIZZLE) return thread.swizzled<V>(c);
    else return c;
}
kernel turn<T: number = f32, const N: u32 = 12, const SWIZZLE: bool = false>(x: in T[64 * N], y: out T[64 * N])
    launch(block = 64, grid = 1)
{
    shared tile: T[64 * N];
    const W: u32 = 16 / sizeof<T>;
    for (c in block.stride(64 * N / W)) {                   // row c of 16 bytes
        let at = row_at<N / W, SWIZZLE>(c);
        for (i in 0..W) tile[at * W + i] = x[c * W + i];
    }
    block.sync();
    var v = thread.load<N>(tile, thread.rank, swizzle = SWIZZLE);
    block.sync();
    for (k in 0..N / 2) (v[k], v[N - 1 - k]) = (v[N - 1 - k], v[k]);
    thread.store(tile, 63 - thread.rank, v, swizzle = SWIZZLE);
    block.sync();
    for (c in block.stride(64 * N / W)) {
        let at = row_at<N / W, SWIZZLE>(c);
        for (i in 0..W) y[c * W + i] = tile[at * W + i];
    }
}
// CALL: turn(x=iota:768) -check
// EXPECT: y = x[::-1]
// CALL: turn<u8, 32, true>(x=iota:2048)
// EXPECT: y = x[::-1]
// CALL: turn<f64, 16, true>(x=iota:1024)
// EXPECT: y = x[::-1]
// CALL: turn<f16, 32, true>(x=iota:2048)
// EXPECT: y = x[::-1]
// CALL: turn<u32, 16, true>(x=iota:1024)
// EXPECT: y = x[::-1]
