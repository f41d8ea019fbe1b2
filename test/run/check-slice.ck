// A checked build stops where a slice leaves its span, or ends before it starts.
// REQUIRES: ckc, host
// RUN: %run-test %s
fn total(x: in f32[]) -> f32 {
    var sum = 0.0;
    for (i in 0..x.len) sum += x[i];
    return sum;
}
// CALL: part(n=8, lo=2, hi=5, x=iota:8, y=[0]) -check
// EXPECT: y = [9]
// CALL: part(n=8, lo=2, hi=9, x=iota:8, y=[0]) -check
// EXPECT-ERROR: check-slice.ck:17:18: part: block: [0,0,0], thread: [0,0,0] 'x[lo..hi]': the end 9 is outside of its extent, 8
// CALL: part(n=8, lo=6, hi=5, x=iota:8, y=[0]) -check
// EXPECT-ERROR: 'x[lo..hi]': the start 6 is behind the end 5
kernel part(n: u32, lo: u32, hi: u32, x: in f32[n], y: out f32[1]) launch(block = 1, grid = 1)
{
    y[0] = total(x[lo..hi]);
}
