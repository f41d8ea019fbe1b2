// Loops of min(n, m) turns are unrolled with the turns that remain: 3 and 5 divide 2^32 - 1.
// RUN: %run-test %s
// FOR: n in 1, 4, 17, 96, 97
// CALL: ends(n=n, m=96, y=zeros:100)
// EXPECT: y = [(i < min(n, 96)) + 2 * (i < min(n, 96)) + 4 * (i < n) + 8 * (i < min(n, 96)) + 16 * (i < min(n, 50)) for i in range(100)]
fn mark(end: u32, bit: u32, y: inout u32[]) { unroll(3) for (i in 0..end) y[i] += bit; }
fn pass(end: u32, bit: u32, y: inout u32[]) { mark(end, bit, y); }
kernel ends(n: u32, m: u32, y: inout u32[100]) launch(block = 1, grid = 1)
{
    unroll(3) for (i in 0..min(n, m)) y[i] += 1;
    unroll(5) for (i in 0..(n < m ? n : m)) y[i] += 2;
    let inverse = ~n;
    unroll(3) for (i in 0..~inverse) y[i] += 4;
    pass(min(n, m), 8, y);
    var i = 0u32;
    while (i < min(n, 50)) {
        y[i] += 16;
        i += 1;
    }
}
// CALL: narrow(n=14, y=zeros:100)
// EXPECT: y = [2 * (i < 14) for i in range(100)]
kernel narrow(n: i16, y: inout u32[100]) launch(block = 1, grid = 1)
{
    unroll(3) for (i in 0i16..min(n, 40)) y[i] += 1;
    unroll(5) for (i in 0u8..min(u8(n), 40)) y[i] += 1;
}
