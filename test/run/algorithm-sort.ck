// A sort takes every type of number, both ways, whatever the number of blocks.
// RUN: %run-test %s
algorithm sort<T: number>(n: u64, x: inout T[n], descending: bool) = grid.radix_sort(x, descending = descending);
// FOR: n in 0, 1, 2049
// CALL: sort<u8>(x=rand:n, descending=false) --grid=3
// EXPECT: x = np.sort(x)
// CALL: sort<i16>(x=rand:3000:1:-32768..32767, descending=true) --grid=3
// EXPECT: x = np.sort(x)[::-1]
// CALL: sort<f32>(x=rand:3000, descending=false)
// EXPECT: x = np.sort(x)
// CALL: sort<f64>(x=rand:3000, descending=true) --grid=5
// EXPECT: x = np.sort(x)[::-1]
// CALL: sort<f16>(x=rand:100, descending=true)
// EXPECT: x = np.sort(x)[::-1]
// CALL: sort<i64>(x=rand:3000, descending=false) --grid=2
// EXPECT: x = np.sort(x)
