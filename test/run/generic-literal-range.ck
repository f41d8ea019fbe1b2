// A range of literals is a range<i32> where nothing asks for another type: for a parameter of any type, in a struct, in a list.
// RUN: %run-test %s
fn total<R: type>(r: R) -> u32 { var s = 0u32; for (i in r) s += u32(i); return s; }
struct Span<R: type> { r: R; }

kernel totals(n: u32, y: out u32[5]) launch(block = 1, grid = 1)
{
    y[0] = total(0..n);
    y[1] = total(0..4);
    y[2] = total((0..10).step(3));
    let s = Span(2..5);
    y[3] = total(s.r);
    for (r in [0..2, 0..3]) y[4] = total(r);
}
// CALL: totals(n=4)
// EXPECT: y = [6, 6, 18, 9, 3]
