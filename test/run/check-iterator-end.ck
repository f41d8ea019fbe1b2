// A checked build stops behind an iterator's end, also where what it is made from has more elements.
// REQUIRES: ckc, host
// RUN: %run-test %s
kernel reads<const W: u32>(i: u32, x: in u32[16], y: out u32[1]) launch(block = 1, grid = 1) {
    comptime if (W == 0) y[0] = x.take(4)[i];
    else comptime if (W == 1) y[0] = x.map(|v| v + 0).take(4)[i];
    else comptime if (W == 2) y[0] = zip(x, x.take(4))[i][0];
    else comptime if (W == 3) y[0] = x.take(4).enumerate()[i][1];
    else comptime if (W == 4) y[0] = count<u32>().take(4)[i];
    else y[0] = x.take(8).strided(2)[i];
}
// FOR: i in 4, 5
// CALL: reads<0>(i=i, x=iota:16) -check
// EXPECT-ERROR: index
// FOR: i in 4, 5
// CALL: reads<1>(i=i, x=iota:16) -check
// EXPECT-ERROR: index
// CALL: reads<2>(i=4, x=iota:16) -check
// EXPECT-ERROR: index
// CALL: reads<3>(i=4, x=iota:16) -check
// EXPECT-ERROR: index
// CALL: reads<4>(i=4, x=iota:16) -check
// EXPECT-ERROR: index
// CALL: reads<5>(i=4, x=iota:16) -check
// EXPECT-ERROR: index
// CALL: reads<0>(i=3, x=iota:16) -check
// EXPECT: y = 3
// CALL: reads<5>(i=3, x=iota:16) -check
// EXPECT: y = 6
kernel writes(i: u32, y: inout u32[16]) launch(block = 1, grid = 1) { let it = y.take(4); it[i] = 7; }
// CALL: writes(i=4, y=zeros:16) -check
// EXPECT-ERROR: index
// CALL: writes(i=3, y=zeros:16) -check
// EXPECT: y = where(arange(16) == 3, 7, 0)
