// RUN: %run-test %s
// Selections and partitions of any length and type by launches, in order; the checked build executes
// the GPU's steps on the host.
struct Point { x: i32; y: i32; z: i32; }
struct Large { a: i32x4; b: i32x4; c: i32x4; d: i32x4; e: i32x4; }
algorithm odd(n: u64, x: in i32[n], y: out i32[n]) -> u64 = select(x, |v| v & 1 == 1, y);
algorithm bytes(n: u64, x: in u8[n], y: out u8[n]) -> u64 = select(x, |v| v < 40, y);
algorithm wide(n: u64, x: in i64[n], y: out i64[n]) -> u64 = select(x[1..n], |v| v % 3 == 0, y);
algorithm points(n: u64, x: in i32[n], y: out i32[n]) -> u64 =
    select(x.map(|v| Point(v, v + 1, v + 2)), |p| p.z % 5 != 0, y.map_store(|p| p.y));
algorithm large(n: u64, x: in i32[n], y: out i32[n]) -> u64 =
    select(x.map(|v| Large(i32x4(v), i32x4(1), i32x4(2), i32x4(3), i32x4(v))), |p| p.a.x < 50, y.map_store(|p| p.e.w));
algorithm flagged(n: u64, x: in f32[n], flags: in u8[n], y: out f32[n]) -> u64 = select_flagged(x, flags, y);
algorithm twice(n: u64, x: inout i32[n], y: out i32[n]) -> u64 {
    let k = select(x, |v| v % 2 == 0, x);
    return select(x.take(k), |v| v % 3 == 0, y);
}
// FOR: n in 0, 1, 31, 32, 33, 2047, 2048, 2049, 140000
// CALL: odd(x=rand:n:3:-1000..1000, y=zeros:n)
// EXPECT: y = [*[v for v in x if v % 2 == 1], *[0 for v in x if v % 2 == 0]]
// EXPECT: result = (x % 2 == 1).sum()
// FOR: n in 0, 5, 8191, 8193, 131073
// CALL: bytes(x=rand:n, y=zeros:n)
// EXPECT: y = [*[v for v in x if v < 40], *[0 for v in x if v >= 40]]
// FOR: n in 1, 2, 4097, 135000
// CALL: wide(x=rand:n:4:-99..99, y=zeros:n)
// EXPECT: y = [*[v for v in x[1:] if v % 3 == 0], *[0 for v in x[1:] if v % 3 != 0], 0]
// FOR: n in 0, 513, 132000
// CALL: points(x=iota:n, y=zeros:n)
// EXPECT: result = (x % 5 != 3).sum()
// FOR: n in 0, 7, 3000
// CALL: flagged(x=rand:n, flags=rand:n:2:0..2, y=zeros:n)
// EXPECT: y = [*[x[i] for i in range(n) if flags[i] != 0], *[0 for i in range(n) if flags[i] == 0]]
// FOR: n in 0, 20, 3000
// CALL: twice(x=iota:n, y=zeros:n)
// EXPECT: result = (n + 5) // 6
// FOR: n in 0, 1500
// CALL: large(x=rand:n:5:0..99, y=zeros:n)
// EXPECT: y = [*[v for v in x if v < 50], *[0 for v in x if v >= 50]]
