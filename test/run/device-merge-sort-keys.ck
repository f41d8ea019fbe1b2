// RUN: %run-test %s
// Orders that compare keys: a field, an expression, captured memory, two keys; ascending and descending.
// They sort stably, with every result that merges give.
struct P { age: i16; size: u8; name: u32; }
fn made(v: i32, i: u64) -> P = P(i16(v % 7), u8(v / 7 % 5), u32(i));
fn by_size(a: P, b: P) -> bool { return b.size < a.size; }
fn by_two(a: P, b: P) -> bool = a.age < b.age || (a.age == b.age && a.size < b.size);
algorithm by_age(n: u64, x: in i32[n], y: out u32[n]) {
    scratch s: P[n];
    merge_sort(x.enumerate().map(|p| made(p[1], p[0])), s, |a, b| a.age < b.age);
    transform(s, y, |p| p.name);
}
algorithm sizes(n: u64, x: in i32[n], y: out u32[n], z: out u32[n]) {
    scratch s: P[n];
    transform(x.enumerate(), s, |p| made(p[1], p[0]));
    merge_sort(s, by_size);
    transform(s, y, |p| p.name);
    merge_sort(s, by_two);
    transform(s, z, |p| u32(p.age) * 8 + u32(p.size));
}
algorithm places(n: u64, x: in f32[n], at: inout u32[n]) { merge_sort(at, |a, b| x[a] * 2.0 > x[b] * 2.0); }
algorithm pairs(n: u64, k: inout i32[n], v: inout u32[n]) { merge_sort(zip(k, v), |a, b| a[0] != b[0] ? a[0] < b[0] : a[1] < b[1]); }
// FOR: n in 0, 1, 33, 5000, 9000
// CALL: by_age(x=rand:n:1:0..34, y=zeros:n)
// EXPECT: y = np.argsort(x % 7, kind="stable")
// FOR: n in 0, 1, 33, 5000, 9000
// CALL: sizes(x=rand:n:2:0..34, y=zeros:n, z=zeros:n)
// EXPECT: y = np.argsort(4 - x // 7, kind="stable")
// EXPECT: z = sort(x % 7 * 8 + x // 7)
// FOR: n in 0, 1, 33, 5000, 9000
// CALL: places(x=rand:n:3:-9..9, at=arange(n))
// EXPECT: at = np.argsort(-x, kind="stable")
// FOR: n in 1, 33, 5000, 9000
// CALL: pairs(k=rand:n:4:0..9, v=rand:n:5:0..99)
// EXPECT: k = sort(100 * k + v) // 100
// EXPECT: v = sort(100 * k + v) % 100
