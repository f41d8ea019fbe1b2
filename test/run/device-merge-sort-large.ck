// RUN: %run-test %s
// REQUIRES: gpu
// Merge sort of spans that are larger than the L2 cache, which need not be aligned to 16 bytes.
algorithm sort_i32(n: u64, x: inout i32[n]) { merge_sort(x, |a, b| !(a >= b)); }
algorithm off(n: u64, x: inout i32[n]) { merge_sort(x[1..n], |a, b| !(b >= a)); }
struct P { k: i32; a: u32; b: f32; }
algorithm structs(n: u64, x: in i32[n], y: out u32[n]) {
    scratch s: P[n];
    transform(x.enumerate(), s, |p| P(p[1] / 4, u32(p[0]), 0.0));
    merge_sort(s, |a, b| !(a.k >= b.k));
    transform(s, y, |p| p.a);
}
algorithm longs(n: u64, x: in i64[n], y: out i64[n]) { merge_sort(x, y, |a, b| !(a >= b)); }
// FOR: n in 2097152, 2097153, 3000001, 16777217
// CALL: sort_i32(x=rand:n:1:-500000..500000)
// EXPECT: x = np.sort(x)
// FOR: n in 2500003, 5000000
// CALL: off(x=rand:n:2:-5000..5000)
// EXPECT: x = np.array([x[0], *np.sort(x[1:])[::-1]])
// FOR: n in 2300001, 6000001
// CALL: structs(x=rand:n:3:0..900, y=zeros:n)
// EXPECT: y = np.argsort(x // 4, kind="stable")
// Few keys: most tiles have nothing of some runs.
// FOR: n in 2300001
// CALL: structs(x=rand:n:5:0..12, y=zeros:n)
// EXPECT: y = np.argsort(x // 4, kind="stable")
// FOR: n in 2300001, 7000000
// CALL: longs(x=rand:n:4:-900000..900000, y=zeros:n)
// EXPECT: y = np.sort(x)
