// RUN: %run-test %s
// Values for the elements that a function chooses, values without an input, effects alone, and as many
// elements as the shorter side has.
algorithm some(n: u64, k: u64, x: in i32[n], y: inout i32[n]) { transform(x.take(k).reverse(), y, |v| v + 1); }
algorithm chosen(n: u64, x: in i32[n], y: inout i32[n]) { transform_if(x, y, |v| v * 10, |v| v % 3 == 0); }
algorithm filled(n: u64, x: out i16[n]) { fill(x, 7i16); }
algorithm squares(n: u64, x: out u32[n]) { generate(x, |i| u32(i * i)); }
algorithm counted(n: u64, x: in u8[n], counts: inout u32[4]) { for_each(x, |v| atomic.add(counts[v % 4], 1)); }
algorithm found(n: u64, x: in i32[n], y: out i32[n], z: out i32[n]) -> u64 {
    let k = select(x, |v| v > 0, y);
    transform(y.take(k), z, |v| -v);
    return k;
}
// FOR: n in 0, 1, 1023, 1024, 1025, 9999
// CALL: chosen(x=rand:n:1:-99..99, y=ones:n)
// EXPECT: y = where(x % 3 == 0, x * 10, 1)
// FOR: n in 0, 1, 1024, 70003
// CALL: filled(x=zeros:n)
// EXPECT: x = 7
// FOR: n in 0, 1, 511, 5001
// CALL: squares(x=zeros:n)
// EXPECT: x = arange(n) * arange(n)
// FOR: n in 0, 1, 511, 513, 5001
// CALL: counted(x=rand:n, counts=zeros:4)
// EXPECT: counts = [sum(where(x % 4 == k, 1, 0)) for k in range(4)]
// CALL: some(k=2000, x=iota:5000, y=zeros:5000)
// EXPECT: y = [2000 - i if i < 2000 else 0 for i in range(5000)]
// CALL: found(x=rand:5000:1:-99..99, y=zeros:5000, z=zeros:5000)
// EXPECT: z = [*[-v for v in x if v > 0], *[0 for v in x if v <= 0]]
