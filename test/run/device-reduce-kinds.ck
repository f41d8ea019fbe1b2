// RUN: %run-test %s
// Every operation that commutes, at the edges of rows, tiles and rounds of blocks, with initial values
// that count, and floats whose zero has a sign.
algorithm add(n: u64, x: in i32[n]) -> i32 = reduce(x, +, 1000);
algorithm least(n: u64, x: in i32[n]) -> i32 = reduce(x, min, 90);
algorithm most(n: u64, x: in f64[n]) -> f64 = reduce(x, max, -90);
algorithm either(n: u64, x: in u16[n]) -> u16 = reduce(x, |, 0);
algorithm both(n: u64, x: in u8[n]) -> u8 = reduce(x.map(|v| v | 17), &, 255);
algorithm odd(n: u64, x: in u64[n]) -> u64 = reduce(x, ^, 1);
algorithm signs(n: u64, x: in f32[n]) -> f32 = 1 / reduce(x.map(|v| -0.0 * v * v), +, -0.0);
algorithm alt(n: u64) -> i64 = reduce(count<i64>(1).take(n).map(|x| x % 2 == 0 ? -x : x), +, 0);
// FOR: n in 0, 1, 2047, 2048, 2049, 63489, 65536, 65537, 262143, 262144, 262145, 1048575, 1048576, 1048577, 2200003
// CALL: add(x=rand:n:1:-99..99)
// EXPECT: result = 1000 + sum(x)
// FOR: n in 0, 1, 255, 65535, 65537, 300001
// CALL: least(x=rand:n:2:-99..99)
// EXPECT: result = min([90, *x])
// FOR: n in 0, 1, 255, 65535, 65537, 300001
// CALL: most(x=rand:n:3:-99..99)
// EXPECT: result = max([-90, *x])
// FOR: n in 0, 1, 9, 65537, 1100001
// CALL: either(x=iota:n)
// EXPECT: result = 65535 if n > 60000 else 15 if n == 9 else 0
// FOR: n in 0, 3, 65537, 300001
// CALL: both(x=iota:n)
// EXPECT: result = 255 if n == 0 else 17
// FOR: n in 1, 65536, 65539
// CALL: odd(x=iota:n)
// EXPECT: result = 65538 if n == 65539 else 1
// FOR: n in 0, 5, 65537
// CALL: signs(x=ones:n)
// EXPECT: result = -inf
// FOR: n in 0, 1, 2, 65535, 65536, 65537, 131072, 1048577, 3000001
// CALL: alt(n=n)
// EXPECT: result = -(n // 2) if n % 2 == 0 else n // 2 + 1
