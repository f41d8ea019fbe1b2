// Values of many scalars go by value as small ones do: passed, returned, chosen, compared, captured, unpacked.
// RUN: %run-test %s
struct Big { bytes: u8[1000]; used: u32; flags: bool[300]; }
fn pushed(b: Big, v: u8) -> Big
{
    var next = b;
    next.bytes[next.used] = v; next.flags[next.used % 300] = true;
    next.used += 1; return next;
}
fn both(b: Big, n: u32) -> (Big, u32) { return (pushed(b, u8(n)), b.used); }
fn first(b: Big) -> u32 = b.used == 0 ? 0u32 : u32(b.bytes[0]);
fn table() -> u32[400] { var t: u32[400]; for (i in 0..400) t[i] = u32(i) * 3; return t; }
fn inner(p: (Big, u32[400])) -> u32 { return p[0].used + p[1][7]; }

kernel k(b: inout Big[2], y: out u32[11]) launch(block = 1, grid = 1)
{
    let old = b[0];
    var mine = pushed(old, 7);
    for (i in 0..3) mine = pushed(mine, u8(i));
    let chosen = mine.used > 3 ? mine : old;
    let (third, before) = both(chosen, 9);
    let t = table();
    let f = |i: u32| u32(third.bytes[i]) + t[i];
    y[0] = chosen.used;
    y[1] = before * 100 + third.used;
    y[2] = mine == chosen ? 1 : 0;
    y[3] = mine == old ? 1 : 0;
    y[4] = old.used;
    y[5] = f(4);
    y[6] = first(third);
    y[7] = inner((third, t));
    y[8] = third.flags[4] && !third.flags[5] ? 1 : 0;
    y[9] = bit_cast<u32>(f32(t == table() ? 1 : 0));
    var many = [old, third];
    many[0] = many[1];
    b[1] = third;
    y[10] = many[0].used + u32(many[0].bytes[4]) + u32(b[1].bytes[0]) + b[1].used;
}
// CALL: k(b=zeros:2)
// EXPECT: y = [4, 405, 1, 0, 0, 21, 7, 26, 1, 1065353216, 26]
