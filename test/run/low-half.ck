// What is known of the low half of 32 bits holds where no more than the half is copied.
// RUN: %run-test %s
// CALL: k(x=[4294967041, 4294967042, 4294967043, 4294967044, 4294967045, 4294967046, 4294967047, 4294967048], p=[1, 2, 3, 4], d=zeros:4, y=zeros:4, o=zeros:4)
// EXPECT: y = [3, 4, 3, 4]
// EXPECT: o = [65280, 65280, 65282, 65280]
fn low(x: u32) -> u16 {
    comptime if (target.is_host) return u16(x);
    else return asm<u16>("{ .reg .b16 tmp; mov.b32 {$0, tmp}, $1; }", x);
}
fn all(t: u32, x: in u32[], p: in f64[], d: inout f64[], y: out u32[], o: out u16[]) {
    let both = x.load<2>(2 * t);
    let rest = both.y & x[t];
    let few = both.x & 2;
    let before = atomic.sub(d[t], p[t]);
    y[t] = u32((low(few) + 7) >> 1);
    o[t] = low(rest);
}
kernel k(x: in u32[8], p: in f64[4], d: inout f64[4], y: out u32[4], o: out u16[4])
    launch(block = 4, grid = 1)
{
    all(thread.rank, x, p, d, y, o);
}
