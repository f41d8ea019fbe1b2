// RUN: %run-test %s
// Scans of segments: empty ones, elements before and behind all of them, in place, a wider type, a
// function that doesn't commute, offsets that an iterator gives.
struct Run { lo: u32; hi: u32; }
fn join(a: Run, b: Run) -> Run {
    return Run(a.lo, b.hi);
}
algorithm running(n: u64, k: u64, x: inout i32[n], at: in u32[k + 1]) { inclusive_segmented_scan(x, at, x, +); }
algorithm begun(n: u64, k: u64, x: in i32[n], at: in u64[k + 1], y: out i32[n]) { inclusive_segmented_scan(x, at, y, max, 3); }
algorithm before(n: u64, k: u64, x: in u8[n], at: in u32[k + 1], y: out u64[n]) {
    exclusive_segmented_scan(x.map(|v| u64(v)), at, y, +, 7u64);
}
algorithm ordered(n: u64, k: u64, len: u64, y: out u32[n], z: out u32[n]) {
    let items = tabulate(|i| Run(u32(i), u32(i))).take(n);
    inclusive_segmented_scan(items, tabulate(|s| s * len).take(k + 1), zip(y, z).map_store(|r| (r.lo, r.hi)), join);
}
// CALL: running(x=[9, 1, 2, 3, 4, 5, -8, 6, 7, 8], at=[1, 1, 3, 4, 4, 4, 6, 7, 9, 9])
// EXPECT: x = [9, 1, 3, 3, 4, 9, -8, 6, 13, 8]
// CALL: begun(x=[9, 1, 5, 2, 1, 4, 0], at=[1, 3, 3, 6], y=zeros:7)
// EXPECT: y = [0, 3, 5, 3, 3, 4, 0]
// CALL: before(x=[9, 1, 5, 2, 1, 4, 0], at=[1, 3, 3, 6], y=zeros:7)
// EXPECT: y = [0, 7, 8, 7, 9, 10, 0]
// FOR: n in 31, 32, 33, 300, 4099
// CALL: before(x=ones:n, at=[0, 3, 3, 4, n-1, n], y=zeros:n)
// EXPECT: y = [7, 8, 9, 7] + [7 + i for i in range(n - 5)] + [7]
// FOR: len in 1, 2, 5, 40, 129, 1000, 4000
// CALL: ordered(n=3*len, k=3, len=len, y=zeros:3*len, z=zeros:3*len)
// EXPECT: y = arange(3 * len) // len * len
// EXPECT: z = arange(3 * len)
// CALL: running(x=zeros:0, at=[0])
// EXPECT: x = []
