// RUN: %run-test %s
// REQUIRES: gpu
// Scans of spans that are larger than the L2 cache, by functions that are no sum: each running value is that
// of its left neighbour and its element. The host device has one form for all sizes.
struct Affine { a: u32; b: u32; c: u32; }
fn then(f: Affine, g: Affine) -> Affine = Affine(g.a * f.a, g.a * f.b + g.b, f.c + g.c);
fn make(v: u32) -> Affine = Affine(v | 1, v, v >> 3);
fn count(n: u64, x: in u32[], y: in Affine[], z: in Affine[], wrong: inout u64[]) {
    for (i in grid.stride(n)) {
        let s = make(x[i]);
        let inclusive = i > 0 ? then(y[max(i, 1) - 1], s) : s;
        let exclusive = i + 1 < n ? then(z[i], s) : z[i];
        let next = z[min(i + 1, n - 1)];
        if (y[i].a != inclusive.a || y[i].b != inclusive.b || y[i].c != inclusive.c) atomic.add(wrong[0], 1);
        if (next.a != exclusive.a || next.b != exclusive.b || next.c != exclusive.c) atomic.add(wrong[1], 1);
        if (i == 0 && (z[0].a != 5 || z[0].b != 6 || z[0].c != 7)) atomic.add(wrong[2], 1);
    }
}
algorithm structs(n: u64, skip: u64, x: in u32[n + skip], wrong: inout u64[3]) {
    scratch y: Affine[n + skip];
    scratch z: Affine[n + skip];
    transform(x, y, |v| make(v));
    transform(x, z, |v| make(v));
    inclusive_scan(y[skip..skip + n], y[skip..skip + n], then);
    exclusive_scan(z[skip..skip + n], z[skip..skip + n], then, Affine(5, 6, 7));
    launch count(block = 256, grid = 256, n, x[skip..skip + n], y[skip..skip + n], z[skip..skip + n], wrong);
}
algorithm most(n: u64, x: in i32[n], y: out i32[n]) { inclusive_scan(x, y, max); }
algorithm farthest(n: u64, x: in f64[n], y: out f64[n]) { exclusive_scan(x, y, |a, b| a > b ? a : b, -1.0); }
// FOR: n in 4194305, 9000001
// FOR: skip in 0, 3
// CALL: structs(n=n, skip=skip, x=rand:n+skip, wrong=[0, 0, 0])
// EXPECT: wrong = 0
// FOR: n in 4194305, 9000001
// CALL: most(x=arange(n) % 1000 + arange(n) // 5000, y=zeros:n)
// EXPECT: y = where(arange(n) < 999, arange(n), 999 + (arange(n) - 999) // 5000)
// FOR: n in 4194305, 9000001
// CALL: farthest(n=n, x=arange(n), y=zeros:n)
// EXPECT: y = arange(n) - 1
