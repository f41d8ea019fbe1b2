// alt_sum.ck - 1 - 2 + 3 - 4 ... +- n: a reduction of generated numbers, which are in no memory.
// FOR: n in 0, 1, 1000, 999999
// CALL: alt_sum(n=n)
// EXPECT: result = where(n % 2 == 0, -n, n + 1) / 2
algorithm alt_sum(n: u64) -> i64 = reduce(count<i64>(1).take(n).map(|x| x % 2 == 0 ? -x : x), +, 0);
