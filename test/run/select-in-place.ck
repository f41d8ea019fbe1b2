// select(x, keep, x) keeps in place, in order.
// RUN: %run-test %s
algorithm thirds(n: u64, x: inout i32[n], y: out i32[n]) -> u64 {
    let k = grid.select(x, |v| v % 3 == 0, x);
    for (i in grid.stride(n)) y[i] = i < k ? x[i] : -1;
    return k;
}
// CALL: thirds(x=iota:10) -check
// EXPECT: result = 4
// EXPECT: y = where(arange(10) < 4, 3 * arange(10), -1)
// CALL: thirds(x=iota:5000) -check
// EXPECT: result = 1667
// EXPECT: y = where(arange(5000) < 1667, 3 * arange(5000), -1)
// CALL: thirds(x=iota:200000)
// EXPECT: result = 66667
// EXPECT: y = where(arange(200000) < 66667, 3 * arange(200000), -1)
