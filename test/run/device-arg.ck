// RUN: %run-test %s
// Where the least and the greatest elements stand: the first of equals, by any order, of structs,
// iterators and as many elements as a step found; NaN is found only if there is nothing else.
struct Item { key: i16; mark: u8; }
algorithm least(n: u64, x: in i32[n]) -> (i32, u64) = argmin(x);
algorithm most(n: u64, x: in u8[n]) -> (u8, u64) = argmax(x);
algorithm both(n: u64, x: in f64[n]) -> ((f64, u64), (f64, u64)) = argminmax(x);
algorithm tens(n: u64, x: in i32[n + 1]) -> (i32, u64) = argmax(x[1..n + 1], |a, b| a / 10 < b / 10);
algorithm items(n: u64, x: in i32[n]) -> u64 {
    let (v, i) = argmin(x.map(|v| Item(i16(v), 7)), |a, b| a.key < b.key);
    return v.mark == 7 ? i : 0;
}
algorithm found(n: u64, x: in i32[n], y: out i32[n]) -> (i32, u64) {
    let k = select(x, |v| v > 0, y);
    return argmin(y.take(k));
}
algorithm holes(n: u64, x: in f32[n]) -> (f32, u64) = argmin(x.map(|v| v < 5 ? 0.0 / 0.0 : v));
// FOR: n in 1, 31, 32, 33, 2047, 2048, 2049, 65536, 65537, 300001, 1100003
// CALL: least(x=rand:n:1:-3000..3000)
// EXPECT: result = (min(x), min(where(x == min(x), arange(n), n)))
// FOR: n in 1, 15, 17, 65537
// CALL: most(x=rand:n)
// EXPECT: result = (max(x), min(where(x == max(x), arange(n), n)))
// FOR: n in 1, 4097, 65537
// CALL: both(x=rand:n:2:-99..99)
// EXPECT: result = ((min(x), min(where(x == min(x), arange(n), n))), (max(x), min(where(x == max(x), arange(n), n))))
// FOR: n in 1, 5000, 70000
// CALL: tens(n=n, x=iota:n+1)
// EXPECT: result = (max(1, n // 10 * 10), max(1, n // 10 * 10) - 1)
// CALL: items(x=[9, 3, 4, 3])
// EXPECT: result = 1
// CALL: found(x=[-1, 9, -3, 4, 4], y=zeros:5)
// EXPECT: result = (4, 1)
// CALL: holes(x=[1, 9, 7, 3, 7])
// EXPECT: result = (7, 2)
// CALL: least(x=zeros:0)
// EXPECT: result = (0, 18446744073709551615)
