// RUN: %run-test %s
// Reductions and scans of structs of 12 and 16 bytes by functions that don't commute are those of one thread.
struct Affine { a: u32; b: u32; c: u32; }
fn then(f: Affine, g: Affine) -> Affine = Affine(g.a * f.a, g.a * f.b + g.b, f.c + g.c);
fn one_by_one(x: in Affine[], y: in Affine[], before: in Affine[], total: in Affine[], wrong: inout u32[]) {
    if (thread.rank > 0) return;
    var s = Affine(1, 2, 3);
    var bad = 0u32;
    for (i in 0..x.len) {
        bad += u32(before[i].b != s.b || before[i].c != s.c);
        s = then(s, x[i]);
        bad += u32(y[i].a != s.a || y[i].b != s.b || y[i].c != s.c);
    }
    wrong[0] = bad + u32(total[0].a != s.a || total[0].b != s.b || total[0].c != s.c);
}
algorithm check(n: u64, x: in u32[n], t: inout Affine[n], y: inout Affine[n], z: inout Affine[n], wrong: inout u32[1]) {
    scratch total: Affine[1];
    transform(x, t, |v| Affine(v | 1, v, v >> 3));
    inclusive_scan(t, y, then, Affine(1, 2, 3));
    exclusive_scan(t, z, then, Affine(1, 2, 3));
    let all = reduce(t, then, Affine(1, 2, 3));
    fill(total, all);
    launch one_by_one(block = 32, grid = 1, t, y, z, total, wrong);
}
algorithm place(n: u64, x: inout f32x4[n]) { inclusive_scan(x, x, |a, b| a + b); }
// FOR: n in 0, 1, 6, 7, 8, 895, 896, 897, 1792, 65537, 65760, 140001
// CALL: check(x=rand:n, t=zeros:n, y=zeros:n, z=zeros:n, wrong=[7])
// EXPECT: wrong = 0
// FOR: n in 1, 5, 639, 640, 641, 140001
// CALL: place(x=ones:n)
// EXPECT: x = [[i + 1] * 4 for i in range(n)]
