// RUN: %run-test %s
// Radix sort of spans by launches of kernels: of every type, both ways, of no elements, of less than a
// tile, of several tiles.
algorithm sort<T: number>(n: u64, x: inout T[n], descending: bool) { radix_sort(x, descending = descending); }
algorithm copy<T: number>(n: u64, x: in T[n], y: out T[n]) { radix_sort(x, to = y); }
// FOR: n in 0, 1, 31, 33, 511, 513, 8192, 8193
// CALL: sort<u32>(x=rand:n:1:0..4000000000, descending=false)
// EXPECT: x = np.sort(x)
// FOR: n in 0, 1, 700, 8193
// CALL: sort<i64>(x=rand:n:1:-3000000000000..3000000000000, descending=true)
// EXPECT: x = np.sort(x)[::-1]
// FOR: n in 0, 1, 700, 8193
// CALL: copy<i16>(x=rand:n:3:-32768..32767, y=zeros:n)
// EXPECT: y = np.sort(x)
// FOR: n in 0, 1, 700, 8193
// CALL: copy<f32>(x=rand:n, y=zeros:n)
// EXPECT: y = np.sort(x)
// FOR: n in 0, 1, 700, 8193
// CALL: sort<u8>(x=rand:n:1:0..255, descending=false)
// EXPECT: x = np.sort(x)
