// RUN: %run-test %s
// A value for each segment: short, long, empty ones, elements before and behind all of them, unaligned
// spans, a function that doesn't commute, offsets that an iterator gives.
struct Run { lo: u32; hi: u32; count: u32; }
fn join(a: Run, b: Run) -> Run {
    assert(a.count == 0 || a.hi + 1 == b.lo, "no neighbours");
    return Run(a.count == 0 ? b.lo : a.lo, b.hi, a.count + b.count);
}
algorithm equal(n: u64, k: u64, len: u64, x: in i32[n], y: out i32[k]) {
    segmented_reduce(x, tabulate(|s| s * len).take(k + 1), y, +, 5);
}
algorithm mixed(n: u64, k: u64, x: in i32[n], at: in u32[k + 1], y: out i32[k]) { segmented_reduce(x, at, y, max, -7); }
algorithm sums(n: u64, k: u64, x: in u8[n], at: in u64[k + 1], y: out u64[k]) { segmented_reduce(x.map(|v| u64(v)), at, y, +, 0u64); }
algorithm unaligned(n: u64, k: u64, len: u64, x: in i64[n + 1], y: out i64[k]) {
    segmented_reduce(x[1..n + 1], tabulate(|s| s * len).take(k + 1), y, +, 0i64);
}
algorithm ordered(n: u64, k: u64, len: u64, y: out u32[k], z: out u32[k]) {
    let items = tabulate(|i| Run(u32(i), u32(i), 1)).take(n);
    segmented_reduce(items, tabulate(|s| s * len).take(k + 1), zip(y, z).map_store(|r| (r.lo, r.count)), join, Run(0, 0, 0));
}
// FOR: len in 0, 1, 7, 8, 9, 16, 31, 33, 100, 256, 1000, 1025, 4096, 4100, 40000
// CALL: equal(n=5*len, k=5, len=len, x=rand:5*len:1:-99..99, y=zeros:5)
// EXPECT: y = [5 + sum(x[s * len:(s + 1) * len]) for s in range(5)]
// CALL: mixed(x=[9, 1, 2, 3, 4, 5, -8, 6, 7, 8], at=[1, 1, 3, 4, 4, 4, 6, 7, 9, 9])
// EXPECT: y = [-7, 2, 3, -7, -7, 5, -7, 7, -7]
// FOR: n in 300, 6000, 60000
// CALL: sums(x=iota:n, at=[0, 3, 3, 4, n-1, n])
// EXPECT: y = [sum(x[0:3]), 0, x[3], sum(x[4:n - 1]), x[n - 1]]
// FOR: len in 5, 300, 5000, 33000
// CALL: unaligned(n=3*len, k=3, len=len, x=rand:3*len+1:1:-99..99, y=zeros:3)
// EXPECT: y = [sum(x[1 + s * len:1 + (s + 1) * len]) for s in range(3)]
// FOR: len in 1, 2, 5, 40, 129, 1000, 4000, 9000
// CALL: ordered(n=3*len, k=3, len=len, y=zeros:3, z=zeros:3)
// EXPECT: y = arange(3) * len
// EXPECT: z = len
// CALL: equal(n=0, k=0, len=0, x=zeros:0, y=zeros:0)
// EXPECT: y = []
