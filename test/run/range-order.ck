// A range is visited from its end by reverse(), and a constant step below 0 counts down.
// RUN: %run-test %s
kernel reversed(lo: i32, hi: i32, step: i32, y: out i32[12]) launch(block = 1, grid = 1)
{
    var c = 0;
    for (i in (lo..hi).step(step).reverse()) { y[c] = i; c++; }
    let r = (lo..hi).reverse();
    for (i in r) { y[c] = i; c++; }
    y[11] = c;
}
// CALL: reversed(lo=-1, hi=4, step=2)
// EXPECT: y = [3, 1, -1, 3, 2, 1, 0, -1, 0, 0, 0, 8]
// CALL: reversed(lo=2147483644, hi=2147483647, step=5)
// EXPECT: y = [2147483644, 2147483646, 2147483645, 2147483644, 0, 0, 0, 0, 0, 0, 0, 4]
// CALL: reversed(lo=3, hi=3, step=1)
// EXPECT: y = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]

kernel down(n: u32, y: out u32[12]) launch(block = 1, grid = 1)
{
    var c = 0;
    for (i in (n..0).step(-3)) { y[c] = i; c++; }
    let r = 2..n;
    for (i in r.step(2).reverse()) { y[c] = i; c++; }
    unroll for (i: u8 in (250..255).step(4).reverse()) { y[c] = u32(i); c++; }
}
// CALL: down(n=7)
// EXPECT: y = [7, 4, 1, 6, 4, 2, 254, 250, 0, 0, 0, 0]
// CALL: down(n=0)
// EXPECT: y = [254, 250, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]

fn digits(n: u32) -> u32 {
    var s = 0u32;
    for (i in (0..n).step(3).reverse()) s = s * 10 + i;
    for (i in (9u32..2).step(-3)) s = s * 10 + i;
    return s;
}
const N = digits(8);
kernel constant(y: out u32[1]) launch(block = 1, grid = 1) { y[0] = N; }
// CALL: constant()
// EXPECT: y = [630963]
