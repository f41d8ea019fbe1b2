// A struct of 4 KB goes by value: a function changes one element of it.
// RUN: %run-test %s
struct Packet { bytes: u8[4000]; used: u32; }

fn pushed(p: Packet, v: u8) -> Packet
{
    var next = p;
    next.bytes[next.used] = v;
    next.used += 1;
    return next;
}
kernel push(p: inout Packet[1], y: out u32[2]) launch(block = 1, grid = 1)
{
    var mine = pushed(p[0], 7);
    mine = pushed(mine, 9);
    p[0] = mine;
    y[0] = mine.used;
    y[1] = u32(mine.bytes[0]) * 10 + u32(mine.bytes[1]);
}
// CALL: push(p=zeros:1)
// EXPECT: y = [2, 79]
