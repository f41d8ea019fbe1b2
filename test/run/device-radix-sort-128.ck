// RUN: %run-test %s
// Radix sort of integers of 128 bits, which are two fields: the upper 64 bits, with or without a sign,
// and the lower 64.
struct Int128 { low: u64; high: i64; }
struct Word128 { low: u64; high: u64; }
algorithm signed(n: u64, h: in i32[n], l: in u32[n], to: out u32[n]) {
    scratch all: Int128[n];
    scratch sorted: Int128[n];
    transform(zip(h, l), all, |p| Int128(u64(p[1]) << 32, i64(p[0]) * 0x100000000));
    radix_sort(all, |s| (s.high, s.low), to = sorted);
    transform(sorted, to, |s| u32(s.low >> 32));
}
algorithm unsigned(n: u64, h: in u32[n], l: in u32[n], to: out u32[n]) {
    scratch all: Word128[n];
    transform(zip(h, l), all, |p| Word128(u64(p[1]), u64(p[0])));
    radix_sort(all, |s| (s.high, s.low), descending = true);
    transform(all, to, |s| u32(s.low));
}
algorithm halves(n: u64, h: inout i64[n], l: inout u64[n]) { radix_sort(zip(h, l), |p| (p[0], p[1])); }
// FOR: n in 0, 1, 33, 5000
// CALL: signed(h=rand:n:1:-9..9, l=rand:n:2:0..100000, to=zeros:n)
// EXPECT: to = l[np.argsort(h * 100001 + l, kind="stable")]
// FOR: n in 0, 1, 33, 5000
// CALL: unsigned(h=rand:n:1:0..9, l=rand:n:2:0..100000, to=zeros:n)
// EXPECT: to = l[np.argsort(h * 100001 + l, kind="stable")][::-1]
// FOR: n in 0, 1, 33, 5000
// CALL: halves(h=rand:n:1:-9..9, l=rand:n:2:0..100000)
// EXPECT: h = np.sort(h)
// EXPECT: l = l[np.argsort(h * 100001 + l, kind="stable")]
