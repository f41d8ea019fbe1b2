// select of spans that overlap, wherever one begins, keeps what it keeps of others.
// RUN: %run-test %s
algorithm within(n: u64, from: u64, s: u64, x: inout u32[n + 8], y: out u32[n]) -> u64 {
    let k = grid.select(x[from..from + n], |v| v % 3 != 1, x[s..s + n]);
    for (i in grid.stride(n)) y[i] = i < k ? x[s + i] : 9;
    return k;
}
// FOR: n in 0, 1, 2, 31, 128, 129, 500, 5000
// FOR: s in 0, 1, 2, 5
// CALL: within(n=n, from=0, s=s, x=iota:n+8)
// EXPECT: y = [i for i in range(n) if i % 3 != 1] + [9] * sum(1 for i in range(n) if i % 3 == 1)

// FOR: n in 3, 400, 3000
// FOR: s in 0, 2, 3, 4, 8
// CALL: within(n=n, from=3, s=s, x=iota:n+8) --grid=3 -check
// EXPECT: y = [i for i in range(3, n + 3) if i % 3 != 1] + [9] * sum(1 for i in range(n) if i % 3 == 1)

// All are kept, or nearly none: elements go up by all of the shift.
// FOR: n in 5, 700
// CALL: within(n=n, from=0, s=7, x=3 * arange(n + 8)) --grid=2 -check
// EXPECT: y = 3 * arange(n)
// FOR: n in 5, 700
// CALL: within(n=n, from=0, s=7, x=where(arange(n + 8) % 97 == 1, 0, 1)) --grid=2 -check
// EXPECT: y = where(arange(n) < (n + 95) // 97, 0, 9)
