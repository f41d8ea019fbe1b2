// RUN: %run-test %s
// The places of many values in a sorted sequence: by a transform of the values.
algorithm lower(n: u64, m: u64, x: in i32[n], v: in i32[m], y: out u64[m]) { transform(v, y, |a| lower_bound(x, a)); }
algorithm upper(n: u64, m: u64, x: in f64[n], v: in i32[m], y: out u64[m]) { transform(v, y, |a| upper_bound(x, f64(a))); }
algorithm found(n: u64, m: u64, x: in i32[n], v: in i32[m], y: out u8[m]) {
    transform(v, y, |a| u8(lower_bound(x.map(|e| e / 3 * 2), a) < upper_bound(x.map(|e| e / 3 * 2), a)));
}
// FOR: n in 0, 1, 1000
// FOR: m in 0, 1, 3000
// CALL: lower(x=iota:n, v=rand:m:1:-10..2000, y=zeros:m)
// EXPECT: y = [max(0, min(a, n)) for a in v]
// FOR: n in 0, 1, 1000
// FOR: m in 0, 1, 3000
// CALL: upper(x=iota:n, v=rand:m:1:-10..2000, y=zeros:m)
// EXPECT: y = [max(0, min(a + 1, n)) for a in v]
// CALL: found(x=iota:900, v=rand:1000:1:-10..900, y=zeros:1000)
// EXPECT: y = [int(0 <= a < 600 and a % 2 == 0) for a in v]
