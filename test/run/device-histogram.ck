// RUN: %run-test %s
// Bins of equal width: bytes by value, integers exactly, negative ones, 64 bits, floats, many bins.
algorithm bytes(n: u64, x: in u8[n], counts: out u32[256]) { histogram(x, counts, 0, 256); }
algorithm fewer(n: u64, x: in i8[n], counts: out u32[7]) { histogram(x, counts, -100, 110); }
algorithm words(n: u64, x: in u32[n], counts: out i32[2048]) { histogram(x, counts, 0u32, 0xffffffffu32); }
algorithm signed(n: u64, bins: u64, x: in i32[n], counts: out u32[bins]) { histogram(x, counts, -1000, 1000); }
algorithm longs(n: u64, x: in i64[n], counts: out u64[10]) { histogram(x.map(|v| v << 40), counts, -1000i64 << 40, 1000i64 << 40); }
algorithm floats(n: u64, x: in f32[n], counts: out u32[20]) { histogram(x[0..n], counts, -1000.0, 1000.0); }
// FOR: n in 0, 1, 15, 16, 17, 2047, 2049, 131072, 131073, 300001, 2100001
// CALL: bytes(x=iota:n, counts=ones:256)
// EXPECT: counts = (n + 255 - arange(256)) // 256
// FOR: n in 1, 5000
// CALL: fewer(x=rand:n:1:-128..127, counts=zeros:7)
// EXPECT: counts = [sum(where((x >= 30 * k - 100) & (x < 30 * k - 70), 1, 0)) for k in range(7)]
// FOR: n in 1, 4095, 4097, 300001
// CALL: words(x=iota:n, counts=zeros:2048)
// EXPECT: counts = where(arange(2048) == 0, n, 0)
// FOR: bins in 1, 10, 64, 2000, 8192, 9000
// CALL: signed(n=4099, x=rand:4099:3:-1200..1200, counts=zeros:bins)
// EXPECT: counts = bincount(where((x >= -1000) & (x < 1000), (x + 1000) * bins // 2000, bins), minlength=bins)[:bins]
// FOR: n in 0, 5000
// CALL: longs(x=rand:n:4:-1200..1200, counts=zeros:10)
// EXPECT: counts = [sum(where((x >= 200 * k - 1000) & (x < 200 * k - 800), 1, 0)) for k in range(10)]
// FOR: n in 1, 5003
// CALL: floats(x=rand:n:5:-1200..1200, counts=zeros:20)
// EXPECT: counts = [sum(where((x >= 100 * k - 1000) & (x < 100 * k - 900), 1, 0)) for k in range(20)]
