// RUN: %run-test %s
// Stable sorts of spans by any order: of no elements, of less than a tile, of several tiles.
algorithm sort(n: u64, x: inout i32[n]) { merge_sort(x, <); }
algorithm tens(n: u64, x: inout u32[n]) { merge_sort(x, |a, b| a / 1000 > b / 1000); }
// FOR: n in 0, 1, 31, 33, 2047, 2048, 2049, 8192, 8193, 40001
// CALL: sort(x=rand:n:1:-3000..3000)
// EXPECT: x = sort(x)
// FOR: n in 0, 1000, 3000, 10000
// CALL: tens(x=iota:n)
// EXPECT: x = arange(n) % 1000 + (n // 1000 - 1 - arange(n) // 1000) * 1000
