// odd_sorted.ck - several steps in one launch: selects the odd numbers and sorts them, without a
// wait by the host.
// CALL: odd_sorted(x=[4, 3, -1, 8, 7, -5])
// EXPECT: y = [-5, -1, 3, 7, 0, 0]
// EXPECT: result = 4
// FOR: n in 0, 1, 1000
// CALL: odd_sorted(x=rand:n:1:-500..500)
// EXPECT: result = sum(x % 2)
// EXPECT: y = [*sort([v for v in x if v % 2 == 1]), *[0] * sum(x % 2 == 0)]
algorithm odd_sorted(n: u64, x: in i32[n], y: out i32[n]) -> u64 { let k = select(x, |v| v & 1 == 1, y); radix_sort(y.take(k)); return k; }
