// RUN: %run-test %s
// Steps over reads with a cache hint of every size of element, and over random permutations, which have each
// number once and another order for another seed.
algorithm hinted(n: u64, a: in u8[n], b: in i16[n], c: in f32[n], d: in f64[n], y: out f64[n]) -> u64 {
    let all = zip(a.cached(cache = streaming), b.cached(cache = last), c.cached(cache = streaming), d.cached(cache = streaming));
    transform(all, y, |v| f64(v[0]) + f64(v[1]) + f64(v[2]) + v[3]);
    return reduce(a.cached(cache = last).map(|v| u64(v)), +, 0u64);
}
algorithm sorted(n: u64, x: in i32[n], y: out i32[n]) { merge_sort(x.cached(cache = streaming), y, |a, b| a < b); }
algorithm dealt(n: u64, seed: u64, y: out u64[n], z: out u64[n]) -> u64 {
    transform(shuffle(n, seed), y, |v| v);
    radix_sort(shuffle(n, seed), to = z);
    return reduce(zip(shuffle(n, seed), shuffle(n, seed + 1)).map(|p| u64(p[0] == p[1])), +, 0u64) / 50;
}
algorithm scattered(n: u64, x: in i32[n], y: out i32[n]) {
    transform(x, y.scatter(shuffle(n, 5)), |v| v);
    radix_sort(y);
}
// FOR: n in 0, 1, 33, 5000
// CALL: hinted(n=n, a=rand:n:1, b=rand:n:2:-99..99, c=rand:n:3:0..99, d=rand:n:4:0..99, y=zeros:n)
// EXPECT: y = a + b + c + d
// EXPECT: result = sum(a)
// FOR: n in 0, 1, 33, 5000
// CALL: sorted(x=rand:n, y=zeros:n)
// EXPECT: y = sort(x)
// FOR: n in 0, 1, 2, 31, 32, 33, 5000
// CALL: dealt(n=n, seed=9, y=zeros:n, z=zeros:n)
// EXPECT: z = arange(n)
// CALL: dealt(n=1000, seed=3, y=zeros:1000, z=zeros:1000)
// EXPECT: result = 0
// FOR: n in 0, 1, 33, 5000
// CALL: scattered(n=n, x=iota:n, y=zeros:n)
// EXPECT: y = arange(n)
