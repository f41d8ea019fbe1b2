// A checked build stops a reduction or scan of no valid values.
// REQUIRES: ckc, host
// RUN: %run-test %s
kernel sums<const W: u32>(m: u32, x: in u32[128], y: out u32[1]) launch(block = 64, grid = 1) {
    let v = block.load(x, 0, 2);
    var r = 0u32;
    comptime if (W == 0) r = block.reduce(v, +, valid = m);
    else comptime if (W == 1) r = block.reduce_to(0, v, max, valid = m);
    else comptime if (W == 2) r = warp.sum(v[0], valid = m);
    else comptime if (W == 3) r = warp.reduce(v[0], |a, b| a * b, valid = m);
    else r = warp.tile<8>.min(v[0], valid = m);
    if (thread.rank == 0) y[0] = r;
}
// CALL: sums<0>(m=0, x=iota:128) -check
// EXPECT-ERROR: valid
// CALL: sums<1>(m=0, x=iota:128) -check
// EXPECT-ERROR: valid
// CALL: sums<2>(m=0, x=iota:128) -check
// EXPECT-ERROR: valid
// CALL: sums<3>(m=0, x=iota:128) -check
// EXPECT-ERROR: valid
// CALL: sums<4>(m=0, x=iota:128) -check
// EXPECT-ERROR: valid
// CALL: sums<0>(m=1, x=3 + arange(128)) -check
// EXPECT: y = 3
// CALL: sums<4>(m=1, x=3 + arange(128)) -check
// EXPECT: y = 3
