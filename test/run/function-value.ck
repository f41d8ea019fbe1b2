// Names of functions and operators are values; overloads are chosen where they are called.
// REQUIRES: ckc, host
// RUN: %run-test %s
// CALL: folds(x=[3, -1, 4, 1])
// EXPECT: y = [7, 4, -12, 1]
// EXPECT: k = [7, 4, 1]
fn fold<T: type, const N: u32, F: fn>(v: T[N], f: F) -> T {
    var r = v[0];
    for (i in 1..N) r = f(r, v[i]);
    return r;
}
fn twice<F: fn>(f: F) = |x| f(f(x));
kernel folds(x: in f32[4], y: out f32[4], k: out i32[3]) launch(block = 1, grid = 1)
{
    var v: f32[4];
    var w: i32[4];
    for (i in 0..4) v[i] = x[i];
    for (i in 0..4) w[i] = i32(x[i]);
    let largest = max;
    (y[0], y[1], y[2]) = (fold(v, +), fold(v, largest), fold(v, *));
    y[3] = twice(twice(abs))(-1.0);
    (k[0], k[1]) = (fold(w, +), fold(w, max));
    k[2] = fold(w, |a, b| a < b ? b : a) - fold(w, |a, b| a & 3) - fold(w, &) - 0;
}
