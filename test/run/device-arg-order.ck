// RUN: %run-test %s
// Both zeros are equal, and numbers of 64 bits are compared whole.
algorithm zeros(n: u64, x: in f32[n]) -> ((f32, u64), (f32, u64)) = argminmax(x.map(|v| v == 0 ? -0.0 : 0.0));
algorithm large(n: u64, x: in u64[n]) -> ((u64, u64), (u64, u64)) = argminmax(x.map(|v| v << 60 | v));
// CALL: zeros(x=[3, 0, 3, 0])
// EXPECT: result = ((0, 0), (0, 0))
// CALL: large(x=[33, 18, 31, 15, 47])
// EXPECT: result = ((2**60 + 33, 0), (15 * 2**60 + 47, 4))
