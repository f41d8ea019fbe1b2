// RUN: %run-test %s
// Segmented scans over many tiles and offsets: short and long segments, many empty ones, structs, and a
// function that doesn't commute, compared with one thread.
struct Affine { a: u32; b: u32; c: u32; }
fn then(f: Affine, g: Affine) -> Affine = Affine(g.a * f.a, g.a * f.b + g.b, f.c + g.c);
fn one_by_one(x: in Affine[], at: in u32[], y: in Affine[], z: in Affine[], wrong: inout u32[]) {
    if (thread.rank > 0) return;
    var bad = 0u32;
    for (s in 1..at.len) {
        var r = Affine(1, 2, 3);
        for (i in at[s - 1]..at[s]) {
            bad += u32(z[i].a != r.a || z[i].b != r.b || z[i].c != r.c);
            r = then(r, x[i]);
            bad += u32(y[i].a != r.a || y[i].b != r.b || y[i].c != r.c);
        }
    }
    wrong[0] = bad;
}
algorithm affine(n: u64, k: u64, x: in u32[n], at: in u32[k + 1], wrong: inout u32[1]) {
    scratch t: Affine[n];
    scratch y: Affine[n];
    scratch z: Affine[n];
    transform(x, t, |v| Affine(v | 1, v, v >> 3));
    inclusive_segmented_scan(t, at, y, then, Affine(1, 2, 3));
    exclusive_segmented_scan(t, at, z, then, Affine(1, 2, 3));
    launch one_by_one(block = 32, grid = 1, t, at, y, z, wrong);
}
algorithm sums(n: u64, k: u64, x: in i32[n], at: in u32[k + 1], y: out i32[n]) { inclusive_segmented_scan(x, at, y, +); }
// FOR: k in 1, 33, 1100, 40000
// CALL: affine(n=10000, k=k, x=rand:10000, at=sort([i * 7919 % 9001 for i in range(k + 1)]), wrong=[7])
// EXPECT: wrong = 0
// FOR: k in 3, 5000
// CALL: affine(n=150000, k=k, x=rand:150000, at=sort([i * 7919 % 150001 for i in range(k + 1)]), wrong=[7])
// EXPECT: wrong = 0
// FOR: len in 1, 7, 5376, 20000
// CALL: sums(n=160000, k=160000//len, x=ones:160000, at=len*arange(160000//len+1), y=zeros:160000)
// EXPECT: y = where(arange(160000) < 160000 // len * len, arange(160000) % len + 1, 0)
