// RUN: %run-test %s
// Stable sorts of spans by any order: of no elements, of less than a tile, of several tiles, of a part
// that starts anywhere; where they are and as copies.
algorithm sort(n: u64, x: inout i32[n]) { merge_sort(x, |a, b| !(a >= b)); }
algorithm copied(n: u64, x: in i32[n], y: out i32[n]) { merge_sort(x, y, |a, b| !(b >= a)); }
algorithm tens(n: u64, x: inout u32[n]) { merge_sort(x, |a, b| !(a / 1000 <= b / 1000)); }
algorithm inner(n: u64, x: inout f64[n + 1]) { merge_sort(x[1..n + 1], |a, b| !(a >= b)); }
algorithm bytes(n: u64, x: inout u8[n + 3]) { merge_sort(x[3..n + 3], |a, b| !(a >= b)); }
algorithm chosen(n: u64, x: in i32[n], y: out i32[n], z: out i32[n]) {
    let k = select(x, |v| v % 3 != 0, y);
    merge_sort(y.take(k), z, |a, b| !(a >= b));
}
// FOR: n in 0, 1, 2, 31, 32, 33, 8703, 8704, 8705, 17409, 100003
// CALL: sort(x=rand:n:1:-3000..3000)
// EXPECT: x = sort(x)
// FOR: n in 0, 1, 8704, 8705, 26112, 26113
// CALL: copied(x=rand:n:1:-3000..3000, y=zeros:n)
// EXPECT: y = sort(x)[::-1]
// FOR: n in 0, 1000, 3000, 9000, 40000
// CALL: tens(x=iota:n)
// EXPECT: x = arange(n) % 1000 + (n // 1000 - 1 - arange(n) // 1000) * 1000
// FOR: n in 1, 4607, 4608, 4609, 20000
// CALL: inner(n=n, x=rand:n+1:1:0..100)
// EXPECT: x = [x[0], *sort(x[1:])]
// FOR: n in 1, 40, 9000, 20000
// CALL: bytes(n=n, x=rand:n+3)
// EXPECT: x = [x[0], x[1], x[2], *sort(x[3:])]
// FOR: n in 1, 9000, 30000
// CALL: chosen(x=rand:n:1:0..3000, y=zeros:n, z=zeros:n)
// EXPECT: z = [*sort([v for v in x if v % 3 != 0]), *[0 for v in x if v % 3 == 0]]
