// RUN: %run-test %s
// An initial value that another kernel has computed, functions with a large state, large keys, all keys
// equal or none, results of other types, elements that no file's type aligns.
struct Large { key: i32; rest: u64[15]; }
struct State { factor: i32; table: i32[8]; }
fn large(v: i32) -> Large {
    var r = Large(v, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    r.rest[14] = u64(v);
    return r;
}
algorithm future(n: u64, x: in i32[n], y: out i32[n]) -> i32 {
    let first = reduce(x, max, 0);
    exclusive_scan(x, y, +, first);
    return first;
}
algorithm stateful(n: u64, x: in i32[n], s: in State[1], y: out i32[n]) { for_each(zip(x, count()), |p| put(y, p[1], p[0] * s[0].factor + s[0].table[p[1] % 8])); }
fn put(y: out i32[], at: u64, v: i32) { y[at] = v; }
algorithm keys(n: u64, d: i32, x: in i32[n], y: out i32[n], w: out i32[n]) -> u64 =
    unique_by_key(x.map(|v| large(v / d)), x, y.map_store(|k| k.key), w, |a, b| a.key == b.key);
algorithm sorted(n: u64, x: in i32[n], y: out i32[n]) { merge_sort(x.map(large), y.map_store(|k| i32(k.rest[14])), |a, b| a.key < b.key); }
algorithm flags(n: u64, x: in bool[n], a: out u8[n], b: out u8[n], c: out u8[n]) -> (u64, u64) =
    partition(x.map(|v| u8(v)), |v| v == 1, |v| v == 0, a, b, c);
algorithm wider(n: u64, x: in u8[n + 1], y: out f64[n + 3]) { transform(x[1..n + 1], y[3..n + 3], |v| f64(v) / 4); }
// FOR: n in 0, 1, 1000, 9001
// CALL: future(x=rand:n, y=zeros:n)
// EXPECT: y = cumsum(x) - x + max([0, *x])
// CALL: stateful(x=iota:500, s=[{factor: 3, table: [0, 1, 2, 3, 4, 5, 6, 7]}])
// EXPECT: y = 3 * x + x % 8
// FOR: d in 1, 10, 100000
// CALL: keys(d=d, x=iota:4000, w=zeros:4000)
// EXPECT: result = (3999 // d) + 1
// EXPECT: w = [*range(0, 4000, d), *[0 for i in range(3999 - 3999 // d)]]
// CALL: sorted(x=rand:3000, y=zeros:3000)
// EXPECT: y = sort(x)
// CALL: flags(x=arange(1000) % 3 == 0, a=zeros:1000, b=zeros:1000, c=zeros:1000)
// EXPECT: result = (334, 666)
// CALL: wider(n=1000, x=rand:1001, y=zeros:1003)
// EXPECT: y = [0, 0, 0, *(x[1:] / 4)]
