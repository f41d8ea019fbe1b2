// RUN: %run-test %s
// Many elements in short segments, and few long ones: segments that end at the edges of tiles, that
// cover many tiles, empty ones in rows, and elements that are in none.
algorithm equal(n: u64, k: u64, len: u64, first: u64, x: in i32[n], y: out i32[k]) {
    segmented_reduce(x, tabulate(|s| first + s * len).take(k + 1), y, +, 5);
}
algorithm wild(n: u64, k: u64, x: in u8[n], y: out u32[k]) {
    // 0, 1, 4, 9, ..., every third of them empty, the last one long
    segmented_reduce(x.map(|v| u32(v) & 1), tabulate(|s| s == k ? n : (s - s % 3) * (s - s % 3) % n).take(k + 1), y, +, 0u32);
}
algorithm longs(n: u64, k: u64, len: u64, x: in i64[n], y: out i64[k]) {
    segmented_reduce(x, tabulate(|s| s * len).take(k + 1), y, max, -200i64);
}
// FOR: len in 16, 256, 1000, 4096, 4095
// CALL: equal(n=2100000, k=2100000//len-1, len=len, first=len//2, x=ones:2100000, y=zeros:2100000//len-1)
// EXPECT: y = len + 5
// CALL: equal(n=2100001, k=1, len=2100000, first=1, x=ones:2100001, y=zeros:1)
// EXPECT: y = 2100005
// CALL: equal(n=2100002, k=2, len=1050001, first=0, x=ones:2100002, y=zeros:2)
// EXPECT: y = 1050006
// CALL: wild(n=2100001, k=1400, x=ones:2100001, y=zeros:1400)
// EXPECT: y = [2100001 - 1398 * 1398 if s == 1399 else (s + 1) * (s + 1) - (s - 2) * (s - 2) if s % 3 == 2 else 0 for s in range(1400)]
// FOR: len in 3, 700
// CALL: longs(n=2100000, k=2100000//len, len=len, x=iota:2100000, y=zeros:2100000//len)
// EXPECT: y = arange(2100000 // len) * len + len - 1
