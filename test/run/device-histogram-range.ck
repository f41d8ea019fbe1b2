// RUN: %run-test %s
// Bins between levels, bins by a function, channels of pixels counted apart, as many elements as a step
// found.
algorithm levels(n: u64, x: in i32[n], edges: in i32[5], counts: out u32[4]) { histogram_range(x, counts, edges); }
algorithm grades(n: u64, x: in u8[n], edges: in f32[4], counts: out u32[3]) { histogram_range(x.map(|v| f32(v)), counts, edges); }
algorithm digits(n: u64, x: in u8[n], counts: out u32[10]) { histogram_by(x, counts, |v| u32(v) % 11); }
algorithm lengths(n: u64, x: in u32[n], counts: out u32[33]) { histogram_by(x, counts, |v| clz(v)); }
algorithm pixels(n: u64, x: in u8x4[n], counts: out u32[3, 256]) { histogram(x, counts, 0, 256, channels = 3); }
algorithm pairs(n: u64, x: in i32x2[n], counts: out u64[2, 5]) { histogram(x, counts, 0, 50, channels = 2); }
algorithm some(n: u64, x: in i32[n], y: out i32[n], counts: out u32[10]) {
    let k = select(x, |v| v >= 50, y);
    histogram(y.take(k), counts, 0, 100);
}
// FOR: n in 0, 1, 5000, 300001
// CALL: levels(x=rand:n:1:-99..99, edges=[-50, -1, 0, 70, 90], counts=zeros:4)
// EXPECT: counts = [sum(where((x >= [-50, -1, 0, 70, 90][k]) & (x < [-50, -1, 0, 70, 90][k + 1]), 1, 0)) for k in range(4)]
// FOR: n in 1, 5000
// CALL: grades(x=iota:n, edges=[2.5, 2.75, 9, 100], counts=zeros:3)
// EXPECT: counts = [sum(where((x > [2, 2, 8][k]) & (x <= [2, 8, 99][k]), 1, 0)) for k in range(3)]
// FOR: n in 1, 5000, 140000
// CALL: digits(x=iota:n, counts=zeros:10)
// EXPECT: counts = [sum(where(x % 11 == k, 1, 0)) for k in range(10)]
// CALL: lengths(x=[0, 1, 2, 3, 4, 4294967295], counts=zeros:33)
// EXPECT: counts = [1, *[0 for k in range(28)], 1, 2, 1, 1]
// FOR: n in 1, 5000, 700001
// CALL: pixels(x=iota:n, counts=zeros:3x256)
// EXPECT: counts = [[(n + 63 - b // 4) // 64 if b % 4 == c else 0 for b in range(256)] for c in range(3)]
// CALL: pairs(x=[[0, 49], [10, 49], [19, 50], [20, -1]], counts=zeros:2x5)
// EXPECT: counts = [[1, 2, 1, 0, 0], [0, 0, 0, 0, 2]]
// CALL: some(x=iota:100, y=zeros:100, counts=zeros:10)
// EXPECT: counts = where(arange(10) >= 5, 10, 0)
