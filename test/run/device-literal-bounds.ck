// RUN: %run-test %s
// Bools have a least and a greatest one, the first of equals; integers are bounds of floats.
algorithm first(n: u64, x: in bool[n]) -> (u64, u64) { let (v, i) = argmin(x); let (w, k) = argmax(x); return (i, k); }
algorithm both(n: u64, x: in bool[n]) -> (u64, u64) { let (lo, hi) = argminmax(x); return (lo[1], hi[1]); }
algorithm halves(n: u64, x: in f16[n], c: out u32[4]) { histogram(x, c, 0, 8); }
algorithm doubles(n: u64, x: in f64[n], c: out u32[4]) { histogram(x, c, -4, 4); }
algorithm pixels(n: u64, x: in f32x4[n], c: out u32[3, 4]) { histogram(x, c, 0, 4, channels = 3); }
// CALL: first(x=[1, 1, 0, 0, 1])
// EXPECT: result = (2, 0)
// CALL: first(x=[0, 0, 1, 1])
// EXPECT: result = (0, 2)
// CALL: first(x=ones:40)
// EXPECT: result = (0, 0)
// CALL: both(x=[1, 1, 0, 0, 1])
// EXPECT: result = (2, 0)
// CALL: halves(x=[0, 1, 2, 7.5, 8, -1], c=zeros:4)
// EXPECT: c = [2, 1, 0, 1]
// CALL: doubles(x=[0, 1, 2, -4, 3.9, 4], c=zeros:4)
// EXPECT: c = [1, 0, 2, 2]
// CALL: pixels(n=3, x=[[0, 1, 2, 3], [0, 1, 2, 3], [3, 3, 3, 3]], c=zeros:12)
// EXPECT: c = [[2, 0, 0, 1], [0, 2, 0, 1], [0, 0, 2, 1]]
