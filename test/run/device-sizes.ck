// RUN: %run-test %s
// Steps over as many elements as an earlier step counted, on the device; and bf16 elements.
algorithm positive(n: u64, x: in i32[n], y: out i32[n], z: out i32[n]) -> i32 {
    let k = select(x, |v| v > 0, y);
    inclusive_scan(y.take(k), z, +);
    return reduce(y.take(k), +, 0);
}
algorithm total(n: u64, x: in bf16[n]) -> f32 = reduce(x.map(|v| f32(v)), +, 0.0);
algorithm greatest(n: u64, x: in bf16[n]) -> bf16 = reduce(x, max, -9bf16);
// FOR: n in 0, 1, 33, 5000
// CALL: positive(n=n, x=rand:n:1:-99..99, y=zeros:n, z=zeros:n)
// EXPECT: result = sum(x[x > 0])
// CALL: positive(x=[3, -1, 4, 0, -5, 2], y=zeros:6, z=zeros:6)
// EXPECT: z = [3, 7, 9, 0, 0, 0]
// EXPECT: result = 9
// FOR: n in 0, 1, 33, 5000
// CALL: total(n=n, x=ones:n)
// EXPECT: result = n
// CALL: greatest(x=[1, 3, 2])
// EXPECT: result = 3
