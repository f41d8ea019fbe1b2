// The default of a load is an element: what the element type does not hold is refused.
// RUN: %run-test %s
kernel bytes<const W: u32>(d: u32, x: in u8[3], y: out u8[32]) launch(block = 32, grid = 1) {
    comptime if (W == 0) block.store(y, 0, block.load(x, 0, 1, default = 300));
    else comptime if (W == 1) block.store(y, 0, block.load<striped>(x, 0, 1, default = -1));
    else comptime if (W == 2) block.store(y, 0, block.load(x, 0, 1, default = d));
    else comptime if (W == 3) block.store(y, 0, warp.load(x, 0, 1, default = 256));
    else comptime if (W == 4) block.store(y, 0, block.load(x, 0, 1, default = 300, valid = 2));
    else block.store(y, 0, block.load(x, 0, 1, default = 255));
}
// COMPILE: bytes<0>
// EXPECT-ERROR: u8
// COMPILE: bytes<1>
// EXPECT-ERROR: u8
// COMPILE: bytes<2>
// EXPECT-ERROR: u8
// COMPILE: bytes<3>
// EXPECT-ERROR: u8
// COMPILE: bytes<4>
// EXPECT-ERROR: u8
// CALL: bytes<5>(d=0, x=[1, 2, 3])
// EXPECT: y = where(arange(32) < 3, arange(32) + 1, 255)
kernel ints<const W: u32>(d: f32, x: in i32[3], y: out i32[32]) launch(block = 32, grid = 1) {
    comptime if (W == 0) block.store(y, 0, block.load(x, 0, 1, default = 1.5));
    else comptime if (W == 1) block.store(y, 0, block.load(x, 0, 1, default = d));
    else block.store(y, 0, block.load(x, 0, 1, default = 1e6));
}
// COMPILE: ints<0>
// EXPECT-ERROR: i32
// COMPILE: ints<1>
// EXPECT-ERROR: i32
// CALL: ints<2>(d=0, x=[1, 2, 3])
// EXPECT: y = where(arange(32) < 3, arange(32) + 1, 1000000)
