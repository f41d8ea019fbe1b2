// RUN: %run-test %s
// Reductions of structs of 12 to 48 bytes by a function that doesn't commute, aligned to 16 bytes or not.
struct S<const N: u32> { a: u32; b: u32; rest: u32[N]; }
fn made<const N: u32>(v: u32) -> S<N> {
    var r: S<N>;
    r.a = v | 1;
    r.b = v;
    unroll for (k in 0..N) r.rest[k] = v + k;
    return r;
}
fn plain<const N: u32>(f: S<N>, g: S<N>) -> S<N> {
    var r = S<N>(g.a * f.a, g.a * f.b + g.b, g.rest);
    unroll for (k in 0..N) r.rest[k] = f.rest[k] + g.rest[k];
    return r;
}
algorithm folded<const N: u32>(n: u64, off: u64, x: in u32[n], wrong: inout u32[1]) {
    scratch t: S<N>[n + 1];
    scratch total: S<N>[1];
    transform(x, t[off..n + off], |v| made<N>(v));
    let all = reduce(t[off..n + off], |f, g| plain<N>(f, g), made<N>(5));
    fill(total, all);
    launch one_by_one<N>(block = 1, grid = 1, t[off..n + off], total, wrong);
}
fn one_by_one<const N: u32>(t: in S<N>[], total: in S<N>[], wrong: inout u32[]) {
    var s = made<N>(5);
    for (i in 0..t.len) s = plain<N>(s, t[i]);
    wrong[0] = u32(s != total[0]);
}
// FOR: n in 0, 1, 255, 2048, 65536, 70001
// FOR: off in 0, 1
// CALL: folded<1>(n=n, off=off, x=rand:n, wrong=[7])
// EXPECT: wrong = 0
// FOR: n in 2048, 70001
// CALL: folded<3>(n=n, off=1, x=rand:n, wrong=[7])
// EXPECT: wrong = 0
// FOR: n in 2048, 70001
// CALL: folded<6>(n=n, off=0, x=rand:n, wrong=[7])
// EXPECT: wrong = 0
// CALL: folded<10>(n=70001, off=0, x=rand:70001, wrong=[7])
// EXPECT: wrong = 0
