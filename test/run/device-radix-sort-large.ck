// RUN: %run-test %s
// REQUIRES: gpu
// Radix sort of spans of many tiles, whose digits are counted while others look back at them.
struct Item { group: i8; cost: f32; at: u32; }
algorithm keys<T: number>(n: u64, x: inout T[n], descending: bool) { radix_sort(x, descending = descending); }
algorithm pairs(n: u64, k: in f32[n], v: in u32[n], to: out f32[n], at: out u32[n]) { radix_sort(k, v, to = to, to_values = at); }
algorithm wide(n: u64, k: inout u64[n], v: inout f64[n]) { radix_sort(k, v, begin_bit = 4, end_bit = 24); }
algorithm items(n: u64, k: in i32[n], to: out u32[n]) {
    scratch all: Item[n];
    transform(k.enumerate(), all, |p| Item(i8(p[1] % 7 - 3), f32(p[1] / 7 - 20), u32(p[0])));
    radix_sort(all, by = |s| (s.group, s.cost));
    transform(all, to, |s| s.at);
}
// FOR: n in 16384, 40001, 1048583, 5000011
// CALL: keys<u32>(x=rand:n:1:0..4000000000, descending=false)
// EXPECT: x = np.sort(x)
// FOR: n in 30001, 1048583, 5000011
// CALL: keys<i64>(x=rand:n:1:-3000000000000..3000000000000, descending=true)
// EXPECT: x = np.sort(x)[::-1]
// FOR: n in 30001, 1048583
// CALL: keys<i16>(x=rand:n:3:-32768..32767, descending=false)
// EXPECT: x = np.sort(x)
// FOR: n in 30001, 1048583
// CALL: keys<u8>(x=rand:n:1:0..255, descending=false)
// EXPECT: x = np.sort(x)
// FOR: n in 20011, 1048583, 5000011
// CALL: pairs(k=rand:n:1:-300..300, v=iota:n, to=zeros:n, at=zeros:n)
// EXPECT: to = np.sort(k)
// EXPECT: at = np.argsort(k, kind="stable")
// FOR: n in 20011, 1048583
// CALL: wide(k=rand:n:2:0..100000000, v=iota:n)
// EXPECT: k = k[np.argsort(k >> 4 & 0xfffff, kind="stable")]
// EXPECT: v = np.argsort(k >> 4 & 0xfffff, kind="stable")
// FOR: n in 20011, 1048583
// CALL: items(k=rand:n:3:0..500, to=zeros:n)
// EXPECT: to = np.argsort(k % 7 * 1000 + k // 7, kind="stable")
