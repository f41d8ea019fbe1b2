// RUN: %run-test %s
// Stable sorts of keys with values, of structs of 3, 12, 16 and 64 bytes, of what iterators compute.
struct Byte { a: u8; b: u8; c: u8; }
struct Item { key: f32; at: u32; more: u32; }
struct Large { a: u64[8]; }
algorithm pairs(n: u64, k: inout u8[n], v: inout u64[n]) { merge_sort(zip(k, v), |a, b| !(a[0] >= b[0])); }
algorithm records(n: u64, x: in f32[n], y: out u32[n]) {
    merge_sort(x.enumerate().map(|p| Item(p[1], u32(p[0]), 3)), y.map_store(|p| p.at), |a, b| !(a.key >= b.key));
}
algorithm wide(n: u64, x: in u32[n], y: out u64[n]) {
    merge_sort(x.enumerate().map(|p| (u64(p[1]), p[0])), y.map_store(|p| p[1]), |a, b| !(a[0] <= b[0]));
}
algorithm threes(n: u64, x: inout u8[n]) {
    scratch t: Byte[n];
    transform(x, t, |v| Byte(v, 1, v));
    merge_sort(t, |a, b| !(a.c >= b.c));
    transform(t, x, |v| v.a);
}
algorithm large(n: u64, x: inout u64[n]) {
    scratch t: Large[n];
    transform(x, t, |v| Large([v, 0, 0, v, 0, 0, 0, v]));
    merge_sort(t, |a, b| !(a.a[3] <= b.a[3]));
    transform(t, x, |v| v.a[7]);
}
// FOR: n in 0, 1, 1792, 5000, 20000
// CALL: pairs(k=rand:n:1:0..100, v=iota:n)
// EXPECT: k = sort(k)
// EXPECT: v = argsort(k)
// FOR: n in 0, 1, 33, 1791, 1792, 1793, 20000
// CALL: records(x=rand:n:1:0..100, y=zeros:n)
// EXPECT: y = argsort(x)
// FOR: n in 1, 1280, 9000
// CALL: wide(x=rand:n:1:0..100, y=zeros:n)
// EXPECT: y = argsort(-x)
// FOR: n in 1, 255, 256, 257, 9000
// CALL: threes(x=rand:n)
// EXPECT: x = sort(x)
// FOR: n in 1, 255, 256, 257, 9000
// CALL: large(x=rand:n:1:0..100)
// EXPECT: x = sort(x)[::-1]
