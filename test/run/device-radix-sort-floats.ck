// RUN: %run-test %s
// Radix sort of floats: -0 and 0 are equal, infinities are at the ends, a NaN is after all numbers; of
// 16 bits, from iterators, and in the order of a stable sort.
algorithm zeros(n: u64, at: out u32[n]) {
    scratch k: f32[n];
    scratch v: u32[n];
    transform(count<u32>().take(n), zip(k, v), |i| (i % 3 == 0 ? -0.0 : i % 3 == 1 ? 0.0 : -1.0, i));
    radix_sort(k, v);
    transform(v, at, |x| x);
}
algorithm ends(n: u64, x: in f64[n], y: out f64[n]) { radix_sort(x.map(|v| v > 40.0 ? 1.0 / 0.0 : v < -40.0 ? -1.0 / 0.0 : v), to = y); }
algorithm numbers(n: u64, x: in i32[n], y: out f32[n]) {
    scratch k: f32[n];
    radix_sort(x.map(|v| v > 0 ? f32(v) : bit_cast<f32>(0x7fc00000u32)), to = k, descending = true);
    transform(k, y, |v| v != v ? 999 : v);
}
algorithm halves(n: u64, x: in i32[n], y: out f32[n]) {
    scratch h: bf16[n];
    transform(x, h, |v| bf16(v));
    radix_sort(h, descending = true);
    transform(h, y, |v| f32(v));
}
// FOR: n in 3, 300, 9000
// CALL: zeros(at=zeros:n)
// EXPECT: at = np.argsort(where(arange(n) % 3 == 2, 0, 1), kind="stable")
// FOR: n in 1, 300, 9001
// CALL: ends(x=rand:n:1:-50..50, y=zeros:n)
// EXPECT: y = np.sort(where(x > 40, np.inf, where(x < -40, -np.inf, x)))
// FOR: n in 1, 300, 9001
// CALL: numbers(x=rand:n:2:-100..100, y=zeros:n)
// EXPECT: y = np.sort(where(x > 0, x, 999))[::-1]
// FOR: n in 1, 300, 9001
// CALL: halves(x=rand:n:3:-100..100, y=zeros:n)
// EXPECT: y = np.sort(x)[::-1]
