// RUN: %run-test %s
// Radix sort of pairs, of structs by their fields, by windows of bits, of iterators; all of it stable.
struct Item { group: i8; cost: f32; at: u32; }
algorithm places(n: u64, k: in f32[n], v: in u32[n], to: out f32[n], at: out u32[n]) { radix_sort(k, v, to = to, to_values = at); }
algorithm wide(n: u64, k: inout u64[n], v: inout f64[n]) { radix_sort(k, v, begin_bit = 4, end_bit = 24); }
algorithm items(n: u64, k: in i32[n], to: out u32[n]) {
    scratch all: Item[n];
    transform(k.enumerate(), all, |p| Item(i8(p[1] % 7 - 3), f32(p[1] / 7 - 20), u32(p[0])));
    radix_sort(all, by = |s| (s.group, s.cost));
    transform(all, to, |s| s.at);
}
algorithm zipped(n: u64, k: inout i32[n], v: inout u32[n]) { radix_sort(zip(k.reverse(), v), |p| p[0]); }
// FOR: n in 0, 1, 33, 8193
// CALL: places(k=rand:n:1:-300..300, v=iota:n, to=zeros:n, at=zeros:n)
// EXPECT: to = np.sort(k)
// EXPECT: at = np.argsort(k, kind="stable")
// FOR: n in 0, 1, 33, 8193
// CALL: wide(k=rand:n:2:0..100000000, v=iota:n)
// EXPECT: k = k[np.argsort(k >> 4 & 0xfffff, kind="stable")]
// EXPECT: v = np.argsort(k >> 4 & 0xfffff, kind="stable")
// FOR: n in 0, 1, 33, 8193
// CALL: items(k=rand:n:3:0..500, to=zeros:n)
// EXPECT: to = np.argsort(k % 7 * 1000 + k // 7, kind="stable")
// FOR: n in 0, 1, 33, 8193
// CALL: zipped(k=rand:n:4:-90..90, v=iota:n)
// EXPECT: k = np.sort(k)[::-1]
// EXPECT: v = np.argsort(k[::-1], kind="stable")
