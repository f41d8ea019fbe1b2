// A reduction of any number of elements by any associative function, in order; the type is that of init: i64 here.
// RUN: %run-test %s
struct Affine { a: u32; b: u32; }
algorithm sum(n: u64, x: in i32[n]) -> i64 = reduce(x, +, 0);
algorithm grid_sum(n: u64, x: in i32[n]) -> i64 = grid.reduce(x, +, 0);
algorithm compose(n: u64, x: in u32[n]) -> Affine =
    reduce(x.map(|v| Affine(2 * v + 1, v)), |f, g| Affine(g.a * f.a, g.a * f.b + g.b), Affine(1, 7));
algorithm both(n: u64, x: in i32[n]) -> (i32, i32) {
    if (n == 5) return (5, 5);
    let least = reduce(x, min, 1000);
    return (least, reduce(x.map(|v| v - least), max, 0));
}
// FOR: n in 0, 1, 33, 128, 129, 4097
// CALL: sum(n=n, x=rand:n)
// EXPECT: result = sum(x)

// FOR: n in 1, 4097
// CALL: grid_sum(n=n, x=rand:n) --grid=5
// EXPECT: result = sum(x)

// FOR: n in 0, 2, 2000
// CALL: compose(n=n, x=rand:n)
// EXPECT: result = [f := [1, 7], *[f := [(2 * v + 1) * f[0] % 2**32, ((2 * v + 1) * f[1] + v) % 2**32] for v in x]][-1]

// FOR: n in 0, 5, 700
// CALL: both(n=n, x=rand:n)
// EXPECT: result = [5, 5] if n == 5 else [min([1000, *x]), max([0, *(x - min([1000, *x]))])]
