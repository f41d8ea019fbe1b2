// RUN: %run-test %s
// Flags of a selection may be bools, and lengths and places of runs any integers behind an iterator.
algorithm kept(n: u64, x: in i32[n], flags: in bool[n], y: out i32[n]) -> u64 = select_flagged(x, flags, y);
algorithm even(n: u64, x: in i32[n], y: out i32[n]) -> u64 = select_flagged(x, x.map(|v| v % 2 == 0), y);
algorithm runs(n: u64, x: in i32[n], y: out i32[n], len: out i32[n]) -> u64 = run_length_encode(x, y, len.reverse());
algorithm repeats(n: u64, x: in i32[n], at: out u16[n], len: out i8[2 * n]) -> u64 = nontrivial_runs(x, at.reverse(), len.strided(2));
// FOR: n in 0, 1, 33, 5000
// CALL: kept(x=iota:n, flags=arange(n) % 3 == 1, y=zeros:n)
// EXPECT: y = [*range(1, n, 3), *[0 for i in range(n) if i % 3 != 1]]
// FOR: n in 0, 1, 33, 5000
// CALL: even(x=iota:n, y=zeros:n)
// EXPECT: y = where(2 * arange(n) < n, 2 * arange(n), 0)
// FOR: n in 0, 1, 33, 5000
// CALL: runs(x=arange(n) // 7, y=zeros:n, len=zeros:n)
// EXPECT: len = [max(0, min(7, n - i * 7)) for i in range(n)][::-1]
// CALL: repeats(x=[5, 5, 5, 1, 2, 2], at=zeros:6, len=zeros:12)
// EXPECT: at = [0, 0, 0, 0, 4, 0]
// EXPECT: len = [3, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0]
