// A lambda may have statements: its `return` says the value, and literals take the other's type.
// RUN: %run-test %s
fn each<F: fn>(n: u32, f: F) { for (i in 0..n) f(i); }
fn apply<F: fn>(x: f64, f: F) = f(x);

kernel blocks(n: u32, x: in f32[n], y: out f32[n + 4], t: out f64[2]) launch(block = 1, grid = 1)
{
    let scale = x[0];
    each(n, |i| { y[i] = x[i] * scale; });              // no value: it writes
    let clamped = |v| {
        if (v < 0) return 0;                            // an f32, as v is
        var r = v;
        for (k in 0..3) { if (r < 1) break; r /= 2; }
        let twice = |w| { let q = w * 2; return q; };
        return twice(r);
    };
    y[n] = clamped(-3.0);
    y[n + 1] = clamped(x[1]);
    t[0] = apply(3, |v| { switch (u32(v)) { case 3: return 0.1; default: return v; } });
    y[n + 2] = [1.0, 5, 2].reduce_by(|a, b| { if (a < b) return b; return a; });
    let pair = || { var sum = 0; for (i in 0..4) sum += i; return (sum, scale); };
    y[n + 3] = f32(pair()[0]) + pair()[1];
}
fn reduce_by<T: type, const N: u32, F: fn>(v: T[N], f: F) -> T {
    var r = v[0];
    for (i in 1..N) r = f(r, v[i]);
    return r;
}
// CALL: blocks(x=[2, 12], t=zeros:2)
// EXPECT: y = [4, 24, 0, 3, 5, 8]
// EXPECT: t = [0.1, 0]
