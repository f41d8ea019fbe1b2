// RUN: %run-test %s
// Radix sort of segments: short ones, empty ones, longer ones than a block holds, with values.
algorithm rows(n: u64, m: u64, x: inout u32[n], starts: in u64[m]) { segmented_radix_sort(x, starts); }
algorithm falling(n: u64, m: u64, x: inout i16[n], starts: in u64[m]) { segmented_radix_sort(x, starts, descending = true); }
algorithm pairs(n: u64, m: u64, k: inout f32[n], v: inout u32[n], starts: in u64[m]) { segmented_radix_sort(k, v, starts); }
algorithm low(n: u64, m: u64, k: inout u32[n], v: inout u32[n], starts: in u64[m]) { segmented_radix_sort(k, v, starts, begin_bit = 2, end_bit = 8); }
// FOR: n in 0, 1, 100, 3000, 20000
// CALL: rows(x=rand:n:1:0..4000000000, starts=[0, n // 3, n // 3, n // 2, n])
// EXPECT: x = np.concatenate([np.sort(x[0:n // 3]), np.sort(x[n // 3:n // 2]), np.sort(x[n // 2:n])])
// FOR: n in 0, 1, 100, 3000, 20000
// CALL: falling(x=rand:n:2:-3000..3000, starts=[0, n // 3, n])
// EXPECT: x = np.concatenate([np.sort(x[0:n // 3])[::-1], np.sort(x[n // 3:n])[::-1]])
// FOR: n in 1, 100, 3000, 20000
// CALL: pairs(k=rand:n:3:-30..30, v=iota:n, starts=[0, n // 3, n])
// EXPECT: k = np.concatenate([np.sort(k[0:n // 3]), np.sort(k[n // 3:n])])
// EXPECT: v = np.concatenate([np.argsort(k[0:n // 3], kind="stable"), n // 3 + np.argsort(k[n // 3:n], kind="stable")])
// FOR: n in 1, 100, 3000, 20000
// CALL: low(k=rand:n:4:0..9999, v=iota:n, starts=[0, n // 3, n])
// EXPECT: v = np.concatenate([np.argsort(k[0:n // 3] >> 2 & 63, kind="stable"), n // 3 + np.argsort(k[n // 3:n] >> 2 & 63, kind="stable")])
