// RUN: %run-test %s
// Sorts of segments: short ones by warps, others by blocks, of several tiles; empty ones, of different
// lengths; stable, of keys with values, of structs, as copies, of iterators.
struct Item { key: f32; at: u32; more: u32; }
algorithm even(n: u64, len: u64, x: inout i32[n * len]) {
    segmented_sort(x, count(0).take(n + 1).map(|s| s * len), <);
}
algorithm growing(n: u64, m: u64, x: in i32[n], y: out i32[n], starts: in u32[m]) { segmented_sort(x, starts, y, >); }
algorithm pairs(n: u64, len: u64, k: inout u8[n * len], v: inout u64[n * len]) {
    segmented_sort(zip(k, v), count(0).take(n + 1).map(|s| s * len), |a, b| a[0] < b[0]);
}
algorithm items(n: u64, len: u64, x: in f32[n * len], y: out u32[n * len]) {
    segmented_sort(x.enumerate().map(|p| Item(p[1], u32(p[0] % len), 1)), count(0).take(n + 1).map(|s| s * len),
        y.map_store(|p| p.at), |a, b| a.key < b.key);
}
// FOR: n in 0, 1, 33, 100
// FOR: len in 0, 1, 16, 100, 129, 300
// CALL: even(n=n, len=len, x=rand:n*len:1:-3000..3000)
// EXPECT: x = [v for s in range(n) for v in sort(x[s * len:s * len + len])]
// FOR: len in 545, 4352, 9000, 30000
// CALL: even(n=3, len=len, x=rand:3*len:1:-3000..3000)
// EXPECT: x = [v for s in range(3) for v in sort(x[s * len:s * len + len])]
// CALL: growing(n=10000, x=rand:10000:1:0..900, y=zeros:10000, starts=[5, 5, 7, 40, 200, 900, 900, 8000, 9990])
// EXPECT: y = [0, 0, 0, 0, 0, *[v for p in [[5, 7], [7, 40], [40, 200], [200, 900], [900, 8000], [8000, 9990]] for v in sort(x[p[0]:p[1]])[::-1]], 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// FOR: len in 1, 50, 400, 3000
// CALL: pairs(n=7, len=len, k=rand:7*len:1:0..9, v=iota:7*len)
// EXPECT: v = [s * len + v for s in range(7) for v in argsort(k[s * len:s * len + len])]
// FOR: len in 1, 50, 400, 3000
// CALL: items(n=7, len=len, x=rand:7*len:1:0..9, y=zeros:7*len)
// EXPECT: y = [v for s in range(7) for v in argsort(x[s * len:s * len + len])]
