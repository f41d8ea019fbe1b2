// RUN: %run-test %s
// What a step writes goes by flags to two places, to a function, and through functions on both sides; what
// a scan begins with is in a device's memory.
algorithm flagged(n: u64, x: in i32[n], flags: in u8[n], y: out i32[n], z: out i32[n]) -> u64 {
    return partition(zip(x, flags), |p| p[1] != 0, y.map_store(|p| p[0]), z.map_store(|p| p[0]));
}
algorithm turned(n: u64, x: in i32[n], y: out i32[n]) {
    inclusive_scan(x, tabulate_store(|i, v| { y[n - 1 - i] = v * 2; }), +);
}
algorithm kept(n: u64, x: in i32[n], y: out i32[n]) -> u64 = select(x, |v| v > 0, tabulate_store(|i, v| { y[n - 1 - i] = v; }));
algorithm both(n: u64, x: inout i32[n]) {
    let squares = x.map(|v| v * v);
    inclusive_scan(squares, x.map_store(|v| v + 1), +);
}
algorithm begun(n: u64, x: in i32[n], init: in i32[1], y: out i32[n], z: out i32[n]) {
    exclusive_scan(x, y, +, init[0]);
    inclusive_scan(x, z, max, init[0]);
}
algorithm totals(n: u64, x: in i32[n], y: out i32[n]) {
    let all = reduce(x, +, 0);
    exclusive_scan(x, y, +, all);
}
// FOR: n in 0, 1, 33, 2049, 70000
// CALL: flagged(x=rand:n:1:-99..99, flags=rand:n:2:0..1, y=zeros:n, z=zeros:n)
// EXPECT: y = [*x[flags != 0], *[0 for f in flags if f == 0]]
// EXPECT: z = [*x[flags == 0], *[0 for f in flags if f != 0]]
// EXPECT: result = sum(flags)
// FOR: n in 0, 1, 33, 5000
// CALL: turned(x=rand:n:1:-99..99, y=zeros:n)
// EXPECT: y = 2 * cumsum(x)[::-1]
// CALL: kept(x=[3, -1, 4, 1, -5], y=zeros:5)
// EXPECT: y = [0, 0, 1, 4, 3]
// CALL: both(x=[1, -2, 3, 4])
// EXPECT: x = [2, 6, 15, 31]
// FOR: n in 0, 1, 33, 5000
// CALL: begun(x=rand:n:1:-99..99, init=[7], y=zeros:n, z=zeros:n)
// EXPECT: y = cumsum(x) - x + 7
// FOR: n in 1, 33, 5000
// CALL: totals(x=rand:n:1:-99..99, y=zeros:n)
// EXPECT: y = cumsum(x) - x + sum(x)
