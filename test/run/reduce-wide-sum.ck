// grid.reduce and reduce add up in the type of `init`, which may be wider than the elements'.
// RUN: %run-test %s
kernel bytes(n: u64, x: in u8[n], y: out u32[1]) launch(block = 32, grid = 1) {
    let s = grid.reduce(x, +, 0u32);
    if (thread.rank == 0) y[0] = s;
}
// CALL: bytes(x=255 * (arange(128) >= 0))
// EXPECT: y = 32640
// CALL: bytes(x=255 * (arange(129) >= 0))
// EXPECT: y = 32895
kernel ints(n: u64, x: in i32[n], y: out i64[1]) launch(block = 64, grid = 1) {
    let s = grid.reduce(x, +, 0i64);
    if (thread.rank == 0) y[0] = s;
}
// CALL: ints(x=2147483647 * (arange(300) >= 0))
// EXPECT: y = 644245094100
// CALL: ints(x=-2147483648 * (arange(300) >= 0))
// EXPECT: y = -644245094400
kernel floats(n: u64, x: in f32[n], y: out f64[1]) launch(block = 32, grid = 1) {
    let s = grid.reduce(x, +, 0.0f64);
    if (thread.rank == 0) y[0] = s;
}
// 2^24 + 1 is no f32, but an f64.
// CALL: floats(x=where(arange(256) == 32, 16777216, 1))
// EXPECT: y = 16777471
// TOLERANCE: exact
kernel halves(n: u64, x: in f16[n], y: out f32[1]) launch(block = 32, grid = 1) {
    let s = grid.reduce(x, +, 0.0f32);
    if (thread.rank == 0) y[0] = s;
}
// CALL: halves(x=40000 * (arange(256) >= 0))
// EXPECT: y = 10240000
// TOLERANCE: exact
algorithm total(n: u64, x: in u8[n]) -> u32 = reduce(x, +, 0u32);
// CALL: total(x=255 * (arange(100000) >= 0))
// EXPECT: result = 25500000
