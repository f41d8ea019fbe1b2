// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// thrust_vectors.ck - Thrust's examples of reductions: dot_products_with_zip, max_abs_diff, minmax, monte_carlo,
// norm, saxpy, summary_statistics, sum_rows, sum_columns, transform_iterator.

// ---- dot_products_with_zip: of many pairs of vectors, whose components are in arrays of their own ----
algorithm dot_products(n: u64, ax: in f32[n], ay: in f32[n], az: in f32[n], bx: in f32[n], by: in f32[n], bz: in f32[n], y: out f32[n]) {
    transform(zip(zip(ax, ay, az), zip(bx, by, bz)), y, |p| p[0][0] * p[1][0] + p[0][1] * p[1][1] + p[0][2] * p[1][2]);
}
// CALL: dot_products(ax=rand:100:1, ay=rand:100:2, az=rand:100:3, bx=rand:100:4, by=rand:100:5, bz=rand:100:6)
// EXPECT: y = ax * bx + ay * by + az * bz
// TOLERANCE: 1e-5

// ---- max_abs_diff ----
algorithm max_abs_diff(n: u64, x: in f32[n], y: in f32[n]) -> f32 = reduce(zip(x, y).map(|p| abs(p[0] - p[1])), max, 0.0);
// CALL: max_abs_diff(x=rand:1000:1, y=rand:1000:2)
// EXPECT: result = max(abs(x - y))

// ---- minmax: both extremes in one pass ----
algorithm minmax(n: u64, x: in i32[n]) -> (i32, i32) {
    let (least, greatest) = argminmax(x);
    return (least[0], greatest[0]);
}
// CALL: minmax(x=rand:1000)
// EXPECT: result = (min(x), max(x))

// ---- monte_carlo: pi by random points of a square; a generator for each place of the sequence ----
fn hash(i: u64) -> u64 {
    let z = (i + 1) * 0x9E3779B97F4A7C15;
    let a = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    let b = (a ^ a >> 27) * 0x94D049BB133111EB;
    return b ^ b >> 31;
}
fn inside(i: u64) -> u64 {
    let bits = hash(i);
    let (x, y) = (f64(bits >> 32) / 4294967296, f64(bits & 0xffffffff) / 4294967296);
    return u64(x * x + y * y < 1);
}
algorithm monte_carlo(n: u64) -> u64 = reduce(tabulate(inside).take(n), +, 0u64);
// CALL: monte_carlo(n=1000000)
// EXPECT: result = 785398
// TOLERANCE: relative 0.005

// ---- norm ----
algorithm squares(n: u64, x: in f32[n]) -> f32 = reduce(x.map(|v| v * v), +, 0.0);
// CALL: squares(x=rand:1000)
// EXPECT: result = sum(x * x)
// TOLERANCE: 1e-5

// ---- saxpy ----
algorithm saxpy(n: u64, a: f32, x: in f32[n], y: inout f32[n]) { transform(zip(x, y), y, |p| a * p[0] + p[1]); }
// CALL: saxpy(a=2, x=rand:1000:1, y=rand:1000:2)
// EXPECT: y = 2 * x + y
// TOLERANCE: 1e-5

// ---- summary_statistics: moments of all elements by a reduction of moments of parts ----
struct Moments { n: f64; least: f64; greatest: f64; mean: f64; m2: f64; m3: f64; m4: f64; }
fn merged(a: Moments, b: Moments) -> Moments {
    let n = a.n + b.n;
    let d = b.mean - a.mean;
    let dn = d / n;
    return Moments(n, min(a.least, b.least), max(a.greatest, b.greatest), a.mean + dn * b.n,
        a.m2 + b.m2 + d * dn * a.n * b.n,
        a.m3 + b.m3 + d * dn * dn * a.n * b.n * (a.n - b.n) + 3 * dn * (a.n * b.m2 - b.n * a.m2),
        a.m4 + b.m4 + d * dn * dn * dn * a.n * b.n * (a.n * a.n - a.n * b.n + b.n * b.n) +
            6 * dn * dn * (a.n * a.n * b.m2 + b.n * b.n * a.m2) + 4 * dn * (a.n * b.m3 - b.n * a.m3));
}
algorithm summary_statistics(n: u64, x: in f64[n]) -> Moments =
    reduce(x.drop(1).map(|v| Moments(1, v, v, v, 0, 0, 0)), merged, Moments(1, x[0], x[0], x[0], 0, 0, 0));
// CALL: summary_statistics(x=rand:1000)
// EXPECT: result = {n: 1000, least: min(x), greatest: max(x), mean: mean(x), m2: sum((x - mean(x)) ** 2), m3: sum((x - mean(x)) ** 3), m4: sum((x - mean(x)) ** 4)}
// TOLERANCE: relative 1e-9 absolute 1e-9

// ---- sum_rows, sum_columns ----
algorithm sum_rows(rows: u64, columns: u64, x: in i32[rows, columns], y: out i32[rows]) {
    segmented_reduce(x.region(0, 0, rows, columns), tabulate(|r| r * columns).take(rows + 1), y, +, 0);
}
algorithm sum_columns(rows: u64, columns: u64, x: in i32[rows, columns], y: out i32[columns]) {
    segmented_reduce(tabulate(|i| x[i % rows, i / rows]).take(rows * columns), tabulate(|c| c * rows).take(columns + 1), y, +, 0);
}
// CALL: sum_rows(x=rand:5x8)
// EXPECT: y = sum(x, axis=1)
// CALL: sum_columns(x=rand:5x8)
// EXPECT: y = sum(x, axis=0)

// ---- transform_iterator: clamped, negated, counted without memory for them ----
algorithm transform_iterator(n: u64, low: i32, high: i32, x: in i32[n]) -> i32 = reduce(x.map(|v| clamp(v, low, high)).map(|v| -v), +, 0);
// CALL: transform_iterator(low=1, high=5, x=[2, 5, 7, 1, 6, 0, 3, 8])
// EXPECT: result = -27
